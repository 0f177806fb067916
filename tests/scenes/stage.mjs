// A browser, a page, and a camera.

import { chromium } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Browsers, one at a time. Only a browser started at a device scale takes screenshots at that scale. */
export class Browsers {
  #running = null;

  async at(scale) {
    if (this.#running?.scale === scale && this.#running.browser.isConnected()) return this.#running.browser;
    await this.close();
    const args = ['--no-sandbox', '--hide-scrollbars', '--force-color-profile=srgb', `--force-device-scale-factor=${scale}`];
    // Signals end the renderer itself, and its browser with it.
    const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
    this.#running = { scale, browser: await chromium.launch({ executablePath: EXECUTABLE, args, ...signals }) };
    return this.#running.browser;
  }

  async close() {
    await this.#running?.browser.close();
    this.#running = null;
  }
}

/** A page with a scene on it. */
export class Stage {
  /** Opens the page of a scene. `setup` is what the page is built from. */
  static async open(browsers, address, setup) {
    const stage = new Stage();
    const [width, height] = setup.viewport;
    const browser = await browsers.at(setup.scale);
    stage.context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: setup.scale });
    stage.page = await stage.context.newPage();
    stage.errors = [];
    stage.page.on('pageerror', (error) => stage.errors.push(String(error)));
    stage.page.on('console', (message) => message.type() === 'error' && stage.errors.push(message.text()));
    stage.session = await stage.context.newCDPSession(stage.page);
    stage.scale = setup.scale;
    await stage.page.goto(`${address}/page/${setup.widget}`);
    await stage.page.evaluate((s) => window.startScene(s), setup);
    return stage;
  }

  /** Calls methods of the page's scene one after the other; resolves to the last one's result. */
  act(...calls) {
    return this.page.evaluate(async (list) => {
      let result;
      for (const [method, ...args] of list) result = await window.scene[method](...args);
      return result;
    }, calls);
  }

  /** A screenshot as PNG bytes, and what is true of it, in pixels of the screenshot. */
  async shoot({ small = false } = {}) {
    const facts = await this.act(['facts']);
    const { data } = await this.session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: !small });
    return { png: Buffer.from(data, 'base64'), facts: { ...facts, board: this.#pixels(facts.board), others: facts.others.map((r) => this.#pixels(r)) } };
  }

  #pixels(rect) {
    const scaled = (value) => Math.round(value * this.scale * 1000) / 1000;
    return { x: scaled(rect.x), y: scaled(rect.y), width: scaled(rect.width), height: scaled(rect.height) };
  }

  /** Moves the mouse for real. */
  get mouse() {
    return this.page.mouse;
  }

  async close() {
    await this.context.close();
    if (this.errors.length > 0) throw new Error(`the page complained: ${[...new Set(this.errors)].slice(0, 3).join(' | ')}`);
  }
}
