// A clock that moves only when it is told to.
//
// Widgets animate with timers, animation frames and CSS transitions. All three are held here, so that a frame can be taken at
// an exact moment of an animation, as slowly as the camera likes, and nobody has to wait for an animation to end.

const FRAME_MS = 16;
const realTimeout = window.setTimeout.bind(window);

let now = 1000;
let lastHandle = 0;
const timers = new Map(); // handle → { due, run, every }
let frames = new Map(); // handle → callback
const transitions = new WeakMap(); // animation → when it began

// Importing this module replaces the window's clocks: it comes first, before any library.
install();

function install() {
  const epoch = 1_700_000_000_000;
  performance.now = () => now;
  Date.now = () => Math.floor(epoch + now);
  window.requestAnimationFrame = (callback) => {
    frames.set(++lastHandle, callback);
    return lastHandle;
  };
  window.cancelAnimationFrame = (handle) => void frames.delete(handle);
  window.setTimeout = (run, delay = 0, ...args) => addTimer(run, delay, args, null);
  window.setInterval = (run, delay = 0, ...args) => addTimer(run, delay, args, Math.max(1, delay));
  window.clearTimeout = window.clearInterval = (handle) => void timers.delete(handle);
}

function addTimer(run, delay, args, every) {
  timers.set(++lastHandle, { due: now + Math.max(0, Number(delay) || 0), run: () => run(...args), every });
  return lastHandle;
}

/** Milliseconds since some moment. */
export const time = () => now;

/** Lets the browser do what waits in its queues, such as the work that React put off. */
export const breathe = () =>
  new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });

/** Like `setTimeout`, by the real clock. */
export const wait = (ms) => new Promise((resolve) => realTimeout(resolve, ms));

/** Moves the clock on; the last step ends exactly at the time asked for. */
export async function advance(ms, stride = FRAME_MS) {
  const end = now + ms;
  do {
    holdTransitions();
    now = Math.min(end, now + stride);
    runTimers();
    await breathe();
    runFrames();
    await breathe();
    holdTransitions();
  } while (now < end);
}

function runTimers() {
  for (const [handle, timer] of [...timers]) {
    if (timer.due > now || !timers.has(handle)) continue;
    if (timer.every === null) timers.delete(handle);
    else timer.due = now + timer.every;
    timer.run();
  }
}

function runFrames() {
  const due = frames;
  frames = new Map();
  for (const callback of due.values()) callback(now);
}

function holdTransitions() {
  for (const animation of document.getAnimations()) {
    if (!transitions.has(animation)) {
      animation.pause();
      transitions.set(animation, now);
    }
    const age = now - transitions.get(animation);
    if (age >= animation.effect.getComputedTiming().endTime) animation.finish();
    else animation.currentTime = age;
  }
}
