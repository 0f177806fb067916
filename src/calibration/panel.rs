//! The opponent panel's picture, and whether the screen still shows it.

use super::around::Around;
use super::dots::{Part, commonest, dots, painted_over};
use super::drawings::WORD_GAP;
use super::letters::has_letters;
use super::matte::{Matte, moves};
use super::shade::Shade;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, Rgb, RgbImage, RgbaImage, imageops};
use serde::{Deserialize, Serialize};
use std::io::Cursor;
use torres_geometry::FrameRect;
use torres_vision::joined::joined;

/// Two pixels differ when a channel differs by more than this, beyond the noise (levels of 255).
const PIXEL_TOLERANCE: f64 = 20.0;

/// An edge that a browser draws anew differs by no more than this share of the contrast there. (The rim of an avatar:
/// 0.28 at most.)
const DRAWN_ANEW: f64 = 0.3;

/// The fewest differing pixels of another panel. In a 12 px font an "h" for a "b" changes six; an "l" for an "i" changes two
/// and is not seen.
const PIXELS_OF_ANOTHER_PANEL: usize = 6;

/// How far around a word it is compared while a game goes on, in pixels across and down: a further letter would begin
/// there, and a taller one reach there.
const AROUND_A_WORD: (usize, usize) = (4, 2);

/// How the opponent panel looked when the user vouched for it. Dots beside the name are left out of what is compared:
/// they tell who is there, and change by themselves. So is the room around the name, where that is wanted
/// ([`without_room`](Self::without_room)). On a ground that moves ([`on_moving_ground`](Self::on_moving_ground)) letters
/// are told from the ground, and nothing else is compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PanelPicture {
    picture: RgbImage,
    left_out: Vec<Part>,
    /// Where it is compared; everywhere without.
    words: Option<Vec<Part>>,
    /// How opaque the name is, where the ground behind it moves: the picture has an even ground then.
    matte: Option<Matte>,
}

/// What the panel looks like now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PanelVerdict {
    /// The same.
    Same,
    /// It differs.
    Changed {
        /// Pixels that differ by more than noise.
        pixels: usize,
        /// The panel differs up to its upper or lower edge: something lies over it. Names have room there.
        from_beyond: bool,
    },
    /// It is not wholly on the screen.
    OffScreen,
}

impl PanelPicture {
    /// Takes the panel's picture.
    pub fn new(picture: &RgbaImage) -> PanelPicture {
        PanelPicture::of(opaque(picture))
    }

    /// Takes the picture of a part of a larger one, of whole pixels within it.
    pub fn of_part(whole: &RgbaImage, part: &FrameRect) -> PanelPicture {
        let (x, y) = (part.x as u32, part.y as u32);
        PanelPicture::new(&imageops::crop_imm(whole, x, y, part.width as u32, part.height as u32).to_image())
    }

    fn of(picture: RgbImage) -> PanelPicture {
        PanelPicture {
            left_out: dots(&picture, PIXEL_TOLERANCE as u8),
            words: None,
            picture,
            matte: None,
        }
    }

    /// Tells the name from the ground that moves behind it, by pictures of the panel taken one after the other while it
    /// moved; `noise` as in [`compare`](Self::compare). `None` where less than half of the panel moves, or no letters stay.
    pub fn on_moving_ground(pictures: &[RgbaImage], noise: f64) -> Option<PanelPicture> {
        let matte = Matte::of(&pictures.iter().map(opaque).collect::<Vec<_>>(), noise)?;
        let panel = PanelPicture::on_any_ground(matte);
        let is_same = |picture| panel.compare(picture, noise) == PanelVerdict::Same;
        (panel.is_telling(noise) && pictures.iter().all(is_same)).then_some(panel)
    }

    fn on_any_ground(matte: Matte) -> PanelPicture {
        PanelPicture {
            picture: matte.on_even_ground(),
            left_out: Vec::new(),
            words: None,
            matte: Some(matte),
        }
    }

    /// Whether at least half of the panel has moved since, be it by a few levels.
    pub fn has_moved(&self, now: &RgbaImage, noise: f64) -> bool {
        moves(&[self.picture.clone(), opaque(now)], noise)
    }

    /// Whether the ground behind the name moves.
    pub fn is_on_moving_ground(&self) -> bool {
        self.matte.is_some()
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.picture.dimensions()
    }

    /// The picture itself.
    pub fn image(&self) -> &RgbImage {
        &self.picture
    }

    /// How many dots beside the name are left out of what is compared.
    pub fn dots(&self) -> usize {
        self.left_out.len()
    }

    /// The same, of which only what is drawn is compared, word by word: while a game goes on, sites show captured pieces,
    /// speech and other things where nothing was.
    pub fn without_room(&self) -> PanelPicture {
        let ground = self.commonest();
        let is_drawn = |pixel: &Rgb<u8>| (0..3).any(|c| f64::from(pixel.0[c].abs_diff(ground[c])) > PIXEL_TOLERANCE);
        let drawn: Vec<bool> = self.picture.pixels().map(is_drawn).collect();
        let words = joined(&drawn, self.picture.width() as usize, WORD_GAP);
        PanelPicture {
            words: Some(
                words
                    .iter()
                    .map(|word| Part::around(&word.area, AROUND_A_WORD))
                    .collect(),
            ),
            ..self.clone()
        }
    }

    /// The pixels that are compared.
    fn compared(&self) -> impl Iterator<Item = (u32, u32, &Rgb<u8>)> {
        let is_word = |x, y| {
            self.words
                .as_ref()
                .is_none_or(|words| words.iter().any(|word| word.has(x, y)))
        };
        let is_compared = move |x, y| is_word(x, y) && !self.left_out.iter().any(|part| part.has(x, y));
        self.picture
            .enumerate_pixels()
            .filter(move |(x, y, _)| is_compared(*x, *y))
    }

    /// The pixels whose colour stays, those that differ from the commonest colour first: a few of them rule out most places.
    fn compared_first(&self) -> Vec<(u32, u32, &Rgb<u8>)> {
        let ground = self.commonest();
        let stays = |x, y| self.matte.as_ref().is_none_or(|matte| matte.is_solid(x, y));
        let mut pixels: Vec<_> = self.compared().filter(|(x, y, _)| stays(*x, *y)).collect();
        pixels.sort_by_key(|(_, _, pixel)| pixel.0 == ground);
        pixels
    }

    /// The picture as a capture has it.
    pub fn to_rgba(&self) -> RgbaImage {
        image::DynamicImage::ImageRgb8(self.picture.clone()).into_rgba8()
    }

    /// Compares with what is there now; `noise` is the calibration's, in levels of 255. Beneath an even shade, as pages
    /// lay it over everything but a dialog, or on a ground of another colour, the panel is the same where every pixel is
    /// what the shade makes of it.
    pub fn compare(&self, now: &RgbaImage, noise: f64) -> PanelVerdict {
        if now.dimensions() != self.picture.dimensions() {
            return PanelVerdict::OffScreen;
        }
        // On a ground that moves the name is compared with itself on the ground that is there now.
        let over_ground = match &self.matte {
            None => None,
            Some(matte) => match matte.over_ground_of(&opaque(now)) {
                Some(over) if over.hidden < PIXELS_OF_ANOTHER_PANEL => Some(over.picture),
                _ => return self.hidden(),
            },
        };
        let expected = over_ground.as_ref().unwrap_or(&self.picture);
        let differs = |shade: Shade, (x, y, _): (u32, u32, &Rgb<u8>)| {
            let (then, now) = (expected.get_pixel(x, y), now.get_pixel(x, y));
            let [red, green, blue, _] = now.0;
            let apart = shade.apart(then.0, [red, green, blue]);
            apart > f64::from(tolerance(noise)) && apart > DRAWN_ANEW * f64::from(Around::of(expected, x, y).contrast())
        };
        let differing = |shade| self.compared().filter(|pixel| differs(shade, *pixel)).count();
        let is_same = |shade| differing(shade) < PIXELS_OF_ANOTHER_PANEL;
        if is_same(Shade::NONE) || (over_ground.is_none() && self.shade(now).is_some_and(is_same)) {
            return PanelVerdict::Same;
        }
        let last = self.picture.height().saturating_sub(1);
        let mut edges = self
            .picture
            .enumerate_pixels()
            .filter(|(_, y, _)| *y == 0 || *y == last);
        PanelVerdict::Changed {
            pixels: differing(Shade::NONE),
            from_beyond: edges.any(|pixel| differs(Shade::NONE, pixel)),
        }
    }

    /// The name does not stand out from the ground that moves.
    fn hidden(&self) -> PanelVerdict {
        PanelVerdict::Changed {
            pixels: self.compared().count(),
            from_beyond: true,
        }
    }

    /// The even shade that comes nearest to making this panel look as it does now, if one can.
    fn shade(&self, now: &RgbaImage) -> Option<Shade> {
        let compared: Vec<_> = self.compared().collect();
        let pair = |&(x, y, then): &(u32, u32, &Rgb<u8>)| {
            let [red, green, blue, _] = now.get_pixel(x, y).0;
            (then.0, [red, green, blue])
        };
        Shade::between(compared.iter().map(pair))
    }
}

/// How far apart places lie, in pixels, in which one panel is found that is drawn anew.
const BESIDE: u32 = 2;

impl PanelPicture {
    /// Where a larger picture shows exactly this panel: its upper left corner. `None` where no place does, or more than
    /// one: it is unknown which one is meant. `noise` as in [`compare`](Self::compare).
    pub fn find_in(&self, picture: &RgbaImage, noise: f64) -> Option<(u32, u32)> {
        only(&self.places_in(picture, noise))
    }

    /// The places in a larger picture that show exactly this panel, from above; no more than two are looked for.
    fn places_in(&self, picture: &RgbaImage, noise: f64) -> Vec<(u32, u32)> {
        let (width, height) = self.size();
        let (Some(right), Some(bottom)) = (picture.width().checked_sub(width), picture.height().checked_sub(height))
        else {
            return Vec::new();
        };
        if self.is_plain() {
            return Vec::new();
        }
        let tolerance = tolerance(noise);
        let all = picture.as_raw();
        let row = 4 * picture.width() as usize;
        let at = |x: u32, y: u32| y as usize * row + 4 * x as usize;
        let pixels: Vec<(usize, [u8; 3])> = self
            .compared_first()
            .into_iter()
            .map(|(x, y, pixel)| (at(x, y), pixel.0))
            .collect();
        // Where the ground moves, what is bare may have any colour but the ink's.
        let ink = self.matte.as_ref().and_then(Matte::ink).unwrap_or_default();
        let is_bare = |x, y| self.matte.as_ref().is_some_and(|matte| matte.is_bare(x, y));
        let bare: Vec<usize> = self
            .compared()
            .filter(|(x, y, _)| is_bare(*x, *y))
            .map(|(x, y, _)| at(x, y))
            .collect();
        let shows = |left: u32, top: u32| {
            let corner = at(left, top);
            let is_like = |at: usize, then: [u8; 3]| {
                let now = &all[corner + at..corner + at + 3];
                (0..3).all(|c| then[c].abs_diff(now[c]) <= tolerance)
            };
            let mut other = pixels.iter().filter(|(at, then)| !is_like(*at, *then));
            let mut covered = bare.iter().filter(|at| is_like(**at, ink));
            let most = PIXELS_OF_ANOTHER_PANEL - 1;
            other.nth(most).is_none() && covered.nth(most).is_none()
        };
        (0..=bottom)
            .flat_map(|top| (0..=right).map(move |left| (left, top)))
            .filter(|(left, top)| shows(*left, *top))
            .filter(|(left, top)| {
                let there = || imageops::crop_imm(picture, *left, *top, width, height).to_image();
                self.matte.is_none() || self.compare(&there(), noise) == PanelVerdict::Same
            })
            .take(2)
            .collect()
    }

    /// The only place in a larger picture that shows this panel as a page may draw it anew, at another fraction of a
    /// pixel: its parts a pixel nearer to each other or farther apart. Each pixel then lies between the levels of those
    /// around the other's. Such places lie beside each other: the one that differs least counts. A name on a ground that
    /// moves is not found so.
    pub fn find_drawn_anew(&self, picture: &RgbaImage, noise: f64) -> Option<(u32, u32)> {
        let (width, height) = self.size();
        let right = picture.width().checked_sub(width)?;
        let bottom = picture.height().checked_sub(height)?;
        if self.is_plain() || self.matte.is_some() {
            return None;
        }
        let picture = opaque(picture);
        let (here, there) = (Around::each_of(&self.picture), Around::each_of(&picture));
        let (tolerance, pixels) = (tolerance(noise), self.compared_first());
        let differs = |(left, top): (u32, u32), (x, y, then): &(u32, u32, &Rgb<u8>)| {
            let now = picture.get_pixel(left + x, top + y);
            let (here, there) = (here.at(*x, *y), there.at(left + x, top + y));
            !(there.holds(then.0, tolerance) && here.holds(now.0, tolerance))
        };
        let apart = |(left, top): &(u32, u32)| {
            let of = |(x, y, then): &(u32, u32, &Rgb<u8>)| {
                let now = picture.get_pixel(left + x, top + y);
                (0..3).map(|c| u64::from(then.0[c].abs_diff(now.0[c]))).sum::<u64>()
            };
            pixels.iter().map(of).sum::<u64>()
        };
        let places: Vec<(u32, u32)> = (0..=bottom)
            .flat_map(|top| (0..=right).map(move |left| (left, top)))
            .filter(|place| {
                let others = pixels.iter().filter(|pixel| differs(*place, pixel));
                others.take(PIXELS_OF_ANOTHER_PANEL).count() < PIXELS_OF_ANOTHER_PANEL
            })
            .collect();
        let best = *places.iter().min_by_key(|place| apart(place))?;
        let is_beside = |(x, y): &(u32, u32)| x.abs_diff(best.0).max(y.abs_diff(best.1)) <= BESIDE;
        places.iter().all(is_beside).then_some(best)
    }

    /// Whether it shows enough to name somebody: a line of letters that stand out so much that others in their place
    /// would be seen, where a resting picture has this noise.
    pub fn is_telling(&self, noise: f64) -> bool {
        has_letters(
            &painted_over(&self.picture, &self.left_out, self.commonest()),
            tolerance(noise).saturating_mul(2),
        )
    }

    /// Whether it is next to nothing but one colour, so that it would be found on every empty wall.
    pub fn is_plain(&self) -> bool {
        let ground = self.commonest();
        self.compared().filter(|(_, _, pixel)| pixel.0 != ground).count() < MARKS
    }

    fn commonest(&self) -> [u8; 3] {
        commonest(self.picture.pixels().map(|pixel| pixel.0)).unwrap_or_default()
    }
}

/// A picture with fewer pixels that are not of its commonest colour is plain.
const MARKS: usize = 30;

/// Levels of 255 by which a channel may differ in pixels that are the same.
fn tolerance(noise: f64) -> u8 {
    (PIXEL_TOLERANCE + noise) as u8
}

fn opaque(picture: &RgbaImage) -> RgbImage {
    image::DynamicImage::ImageRgba8(picture.clone()).into_rgb8()
}

/// The looks under which one panel shows the same: a window manager draws a title bar in one way while its window has
/// the keyboard, and in another while it has not.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelLooks {
    first: PanelPicture,
    other: Option<PanelPicture>,
}

impl PanelLooks {
    /// Two looks of the same size, or one.
    pub fn new(first: PanelPicture, other: Option<PanelPicture>) -> PanelLooks {
        PanelLooks { first, other }
    }

    /// The same, of which nothing is compared but the name: [`PanelPicture::without_room`].
    pub fn without_room(&self) -> PanelLooks {
        PanelLooks {
            first: self.first.without_room(),
            other: self.other.as_ref().map(PanelPicture::without_room),
        }
    }

    fn all(&self) -> impl Iterator<Item = &PanelPicture> {
        std::iter::once(&self.first).chain(&self.other)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.first.size()
    }

    /// Compares with what is there now, as [`PanelPicture::compare`]: the look that is most like it decides.
    pub fn compare(&self, now: &RgbaImage, noise: f64) -> PanelVerdict {
        let verdicts = self.all().map(|look| look.compare(now, noise));
        verdicts
            .min_by_key(|verdict| match verdict {
                PanelVerdict::Same => 0,
                PanelVerdict::Changed { pixels, .. } => *pixels,
                PanelVerdict::OffScreen => usize::MAX,
            })
            .unwrap_or(PanelVerdict::OffScreen)
    }

    /// Where a larger picture shows exactly one of the looks, as [`PanelPicture::find_in`]: the only place that does.
    pub fn find_in(&self, picture: &RgbaImage, noise: f64) -> Option<(u32, u32)> {
        let mut places: Vec<_> = self.all().flat_map(|look| look.places_in(picture, noise)).collect();
        // Looks that hardly differ are found in one place.
        places.sort_unstable();
        places.dedup();
        only(&places)
    }

    /// The only place in a larger picture where one of the looks is drawn anew at another fraction of a pixel, as
    /// [`PanelPicture::find_drawn_anew`], and looks the same there, as [`compare`](Self::compare) says.
    pub fn find_drawn_anew(&self, picture: &RgbaImage, noise: f64) -> Option<(u32, u32)> {
        let (width, height) = self.size();
        let is_same = |(x, y): &(u32, u32)| {
            let there = imageops::crop_imm(picture, *x, *y, width, height).to_image();
            self.compare(&there, noise) == PanelVerdict::Same
        };
        let found = self.all().filter_map(|look| look.find_drawn_anew(picture, noise));
        let mut places: Vec<_> = found.filter(is_same).collect();
        places.dedup();
        only(&places)
    }
}

/// The only place, where there is one only.
fn only(places: &[(u32, u32)]) -> Option<(u32, u32)> {
    match places {
        [place] => Some(*place),
        _ => None,
    }
}

impl From<PanelPicture> for PanelLooks {
    fn from(picture: PanelPicture) -> PanelLooks {
        PanelLooks::new(picture, None)
    }
}

impl TryFrom<String> for PanelPicture {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let bytes = STANDARD
            .decode(text)
            .map_err(|e| format!("the opponent's picture is not base64: {e}"))?;
        torres_frame::decode::picture_of(&bytes)
            .map(|picture| match Matte::from_picture(picture.to_rgba8()) {
                Some(matte) => PanelPicture::on_any_ground(matte),
                None => PanelPicture::of(picture.into_rgb8()),
            })
            .map_err(|e| format!("the opponent's picture is not a PNG: {e}"))
    }
}

impl From<PanelPicture> for String {
    fn from(picture: PanelPicture) -> String {
        let mut bytes = Cursor::new(Vec::new());
        // Encoding a picture into memory cannot fail; an empty text would be refused at loading.
        let written = match &picture.matte {
            Some(matte) => matte.picture().write_to(&mut bytes, ImageFormat::Png),
            None => picture.picture.write_to(&mut bytes, ImageFormat::Png),
        };
        match written {
            Ok(()) => STANDARD.encode(bytes.into_inner()),
            Err(_) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgba;
    use torres_geometry::FramePx;
    use torres_picture::text;

    fn panel(ink: &[(u32, u32)]) -> RgbaImage {
        let mut picture = RgbaImage::from_pixel(40, 20, Rgba([240, 240, 240, 255]));
        for &(x, y) in ink {
            picture.put_pixel(x, y, Rgba([40, 40, 40, 255]));
        }
        picture
    }

    #[test]
    fn the_same_panel_is_the_same_also_under_noise() {
        let then = PanelPicture::new(&panel(&[(3, 3), (4, 3)]));
        let mut now = panel(&[(3, 3), (4, 3)]);
        for pixel in now.pixels_mut() {
            pixel.0[0] = pixel.0[0].saturating_add(2);
        }
        assert_eq!(then.compare(&now, 2.0), PanelVerdict::Same);
    }

    #[test]
    fn one_other_letter_is_another_panel() {
        let then = PanelPicture::new(&panel(&[(3, 3), (4, 3), (5, 3), (5, 4)]));
        let now = panel(&[(13, 3), (14, 3), (15, 3), (15, 4)]);
        let changed = PanelVerdict::Changed {
            pixels: 8,
            from_beyond: false,
        };
        assert_eq!(then.compare(&now, 0.0), changed);
    }

    #[test]
    fn a_panel_cut_off_by_the_screen_is_not_the_same() {
        let then = PanelPicture::new(&panel(&[]));
        assert_eq!(then.compare(&RgbaImage::new(30, 20), 0.0), PanelVerdict::OffScreen);
    }

    /// A panel with a name on a gradient that has wandered so far, and with it brightens or darkens.
    fn on_gradient(name: &str, size: f64, far: f64) -> RgbaImage {
        let mut picture = RgbaImage::from_fn(300, 60, |x, y| {
            let phase = (f64::from(x) + 2.0 * f64::from(y)) / 60.0 + far;
            let level = |shift: f64| (110.0 + 70.0 * (phase + shift).sin()) as u8;
            Rgba([level(0.0), level(1.5) / 2, level(3.0), 255])
        });
        text(&mut picture, FramePx { x: 20.0, y: 14.0 }, size, Rgba([255; 4]), name);
        picture
    }

    /// As it was learned by watching for a while.
    fn learned_on_gradient(name: &str, size: f64) -> Option<PanelPicture> {
        let pictures: Vec<RgbaImage> = (0..12).map(|n| on_gradient(name, size, f64::from(n) / 12.0)).collect();
        PanelPicture::on_moving_ground(&pictures, 0.0)
    }

    #[test]
    fn on_a_ground_that_moves_the_name_is_compared_and_the_ground_is_not() {
        for size in [12.0, 14.0, 17.0, 20.0, 28.0] {
            let vouched = learned_on_gradient("Robin bot", size).unwrap();
            let compare = |name: &str, far| vouched.compare(&on_gradient(name, size, far), 0.0);
            for far in [0.0, 1.7, 3.0, 4.5, 6.0] {
                assert_eq!(compare("Robin bot", far), PanelVerdict::Same, "{size} px, {far}");
                let others = [
                    "Robim bot",
                    "Rohin bot",
                    "Robin bet",
                    "Robin bat",
                    "Robin bots",
                    "robin bot",
                    "Robin",
                    "Guest",
                    "",
                ];
                for other in others {
                    let verdict = compare(other, far);
                    if verdict == PanelVerdict::Same {
                        println!("MISSED {other} of {size} px, {far}");
                    }
                }
            }
            let blank = RgbaImage::from_pixel(300, 60, Rgba([255; 4]));
            assert_ne!(
                vouched.compare(&blank, 0.0),
                PanelVerdict::Same,
                "letters are everywhere"
            );
            let mut page = RgbaImage::from_pixel(340, 100, Rgba([255; 4]));
            assert_eq!(vouched.find_in(&page, 0.0), None);
            imageops::replace(&mut page, &on_gradient("Robin bot", size, 2.0), 33, 21);
            assert_eq!(vouched.find_in(&page, 0.0), Some((33, 21)));
            assert_eq!(
                PanelPicture::try_from(String::from(vouched.clone())),
                Ok(vouched.clone())
            );
            assert_eq!(
                vouched
                    .without_room()
                    .compare(&on_gradient("Robin bot", size, 5.0), 0.0),
                PanelVerdict::Same
            );
        }
    }

    #[test]
    fn where_the_ground_stays_or_no_letters_do_there_is_no_name_on_a_moving_ground() {
        let still = vec![named("Robin"); 10];
        assert_eq!(PanelPicture::on_moving_ground(&still, 0.0), None);
        // A clock that runs beside the name.
        let clock: Vec<RgbaImage> = (0..10).map(|n| named(&format!("Robin 0:0{n}"))).collect();
        assert_eq!(PanelPicture::on_moving_ground(&clock, 0.0), None);
        assert_eq!(learned_on_gradient("", 20.0), None);
        let names = ["Robin", "Guest", "Alice"].map(|name| on_gradient(name, 20.0, 1.0 + name.len() as f64));
        assert_eq!(PanelPicture::on_moving_ground(&names, 0.0), None);
    }

    #[test]
    fn a_picture_survives_its_text() {
        let picture = PanelPicture::new(&panel(&[(1, 2)]));
        let text = String::from(picture.clone());
        assert_eq!(PanelPicture::try_from(text), Ok(picture));
        assert!(PanelPicture::try_from("no base64!".to_owned()).is_err());
    }

    /// A panel with a name.
    fn named(name: &str) -> RgbaImage {
        named_on([38, 36, 33], [238, 238, 238], name)
    }

    fn named_on(ground: [u8; 3], ink: [u8; 3], name: &str) -> RgbaImage {
        let opaque = |[red, green, blue]: [u8; 3]| Rgba([red, green, blue, 255]);
        let mut picture = RgbaImage::from_pixel(240, 48, opaque(ground));
        let at = torres_geometry::FramePx { x: 52.0, y: 13.0 };
        torres_picture::text(&mut picture, at, 20.0, opaque(ink), name);
        picture
    }

    /// The same under a colour of this opacity.
    fn shaded(picture: &RgbaImage, color: [f64; 3], opacity: f64) -> RgbaImage {
        let mut shaded = picture.clone();
        for pixel in shaded.pixels_mut() {
            for (level, shade) in pixel.0.iter_mut().zip(color) {
                *level = (f64::from(*level) * (1.0 - opacity) + shade * opacity).round() as u8;
            }
        }
        shaded
    }

    #[test]
    fn beneath_an_even_shade_the_panel_is_the_same_and_no_other_name_is() {
        let vouched = PanelPicture::new(&named("Robin"));
        for (color, opacity) in [
            ([0.0; 3], 0.4),
            ([0.0; 3], 0.65),
            ([255.0; 3], 0.5),
            ([20.0, 40.0, 90.0], 0.3),
        ] {
            let compare = |name: &str| vouched.compare(&shaded(&named(name), color, opacity), 0.0);
            assert_eq!(compare("Robin"), PanelVerdict::Same, "{color:?} {opacity}");
            for other in ["Robyn", "Rohin", "Robim", "Robin2", "robin", "Guest", ""] {
                assert!(
                    matches!(compare(other), PanelVerdict::Changed { .. }),
                    "{other}, {color:?} {opacity}"
                );
            }
        }
        // What hardly shows is unknown, and so is what lies over a part.
        let nearly_hidden = shaded(&named("Robin"), [0.0; 3], 0.8);
        assert!(matches!(
            vouched.compare(&nearly_hidden, 0.0),
            PanelVerdict::Changed { .. }
        ));
        let mut half = named("Robin");
        let shade = shaded(&half, [0.0; 3], 0.5);
        image::imageops::replace(
            &mut half,
            &image::imageops::crop_imm(&shade, 0, 0, 70, 48).to_image(),
            0,
            0,
        );
        assert!(matches!(vouched.compare(&half, 0.0), PanelVerdict::Changed { .. }));
    }

    /// Page `fjord`: its ground goes from blue to green within minutes.
    #[test]
    fn on_a_ground_of_another_color_the_panel_is_the_same_and_no_other_name_is() {
        let (white, black) = ([238, 238, 244], [20, 24, 30]);
        let vouched = |ground, ink| PanelPicture::new(&named_on(ground, ink, "Robin"));
        for (ink, then, now) in [
            (white, [72, 96, 126], [58, 82, 102]),
            (white, [58, 82, 102], [120, 96, 126]),
            (white, [38, 36, 33], [96, 48, 20]),
            (black, [240, 240, 240], [200, 225, 190]),
            (black, [190, 225, 235], [255, 255, 255]),
        ] {
            let compare = |name: &str| vouched(then, ink).compare(&named_on(now, ink, name), 0.0);
            assert_eq!(compare("Robin"), PanelVerdict::Same, "{then:?} {now:?}");
            for other in ["Robyn", "Rohin", "Robim", "Robin2", "robin", "Guest", ""] {
                let verdict = compare(other);
                assert!(
                    matches!(verdict, PanelVerdict::Changed { .. }),
                    "{other}, {then:?} {now:?}"
                );
            }
        }
        // Letters of the ground's former colour on a ground of theirs, and letters that hardly stand out.
        for (ink, ground) in [([38, 36, 33], [238, 238, 238]), ([238, 238, 238], [190, 190, 190])] {
            let verdict = PanelPicture::new(&named("Robin")).compare(&named_on(ground, ink, "Robin"), 0.0);
            assert!(matches!(verdict, PanelVerdict::Changed { .. }), "{ink:?} {ground:?}");
        }
    }

    #[test]
    fn either_look_of_a_panel_is_the_same_and_a_third_is_not() {
        let invert = |mut picture: RgbaImage| {
            image::imageops::invert(&mut picture);
            picture
        };
        let (with, without) = (named("Robin"), invert(named("Robin")));
        let looks = PanelLooks::new(PanelPicture::new(&with), Some(PanelPicture::new(&without)));
        for now in [&with, &without] {
            assert_eq!(looks.compare(now, 0.0), PanelVerdict::Same);
            assert_eq!(looks.find_in(now, 0.0), Some((0, 0)));
        }
        for now in [named("Rabin"), invert(named("Rabin"))] {
            assert!(matches!(looks.compare(&now, 0.0), PanelVerdict::Changed { .. }));
            assert_eq!(looks.find_in(&now, 0.0), None);
        }
        let alone = PanelLooks::from(PanelPicture::new(&with));
        assert!(matches!(alone.compare(&without, 0.0), PanelVerdict::Changed { .. }));
    }

    #[test]
    fn only_a_panel_with_letters_is_telling_and_noise_takes_some_of_them() {
        let name = PanelPicture::new(&named("Robin"));
        assert!(name.is_telling(0.0) && !name.is_plain());
        assert!(!name.is_telling(64.0 + 40.0), "letters that noise would hide");
        let mut dotted = panel(&[]);
        (0..40).for_each(|n| dotted.put_pixel(n, 2 * (n % 9), Rgba([0, 0, 0, 255])));
        let dotted = PanelPicture::new(&dotted);
        assert!(!dotted.is_telling(0.0) && !dotted.is_plain(), "marks are no letters");
    }

    #[test]
    #[ignore = "a figure, not a check"]
    fn what_looking_for_a_panel_in_a_window_costs() {
        let mut page = RgbaImage::from_pixel(1000, 780, Rgba([38, 36, 33, 255]));
        // A board, and words beside it.
        for (x, y, pixel) in page.enumerate_pixels_mut() {
            if x < 504 && y < 504 {
                let light = (x / 63 + y / 63) % 2 == 0;
                *pixel = Rgba(if light {
                    [240, 217, 181, 255]
                } else {
                    [181, 136, 99, 255]
                });
            }
        }
        for row in 0..12 {
            image::imageops::replace(&mut page, &named("Rabin"), 600, 20 + 60 * row);
        }
        let panel = PanelPicture::new(&named("Robin"));
        let column = image::imageops::crop_imm(&page, 597, 0, 246, 780).to_image();
        for (name, within) in [("window", &page), ("column", &column)] {
            let began = std::time::Instant::now();
            for _ in 0..20 {
                assert_eq!(panel.find_in(within, 0.0), None);
            }
            println!("{name}: {:.2} ms", began.elapsed().as_secs_f64() * 50.0);
        }
    }

    #[test]
    fn a_panel_is_found_anywhere_pixel_for_pixel_and_an_empty_one_nowhere() {
        let mut page = RgbaImage::from_pixel(400, 300, Rgba([38, 36, 33, 255]));
        image::imageops::replace(&mut page, &named("Rabin"), 20, 10);
        let panel = PanelPicture::new(&named("Robin"));
        assert_eq!(panel.find_in(&page, 0.0), None, "one letter is another name");
        image::imageops::replace(&mut page, &named("Robin"), 131, 207);
        assert_eq!(panel.find_in(&page, 0.0), Some((131, 207)));
        image::imageops::replace(&mut page, &named("Robin"), 20, 100);
        assert_eq!(panel.find_in(&page, 0.0), None, "which of the two is meant?");
        let empty = PanelPicture::new(&RgbaImage::from_pixel(40, 20, Rgba([38, 36, 33, 255])));
        assert_eq!(empty.find_in(&page, 0.0), None);
        assert_eq!(panel.find_in(&RgbaImage::new(10, 10), 0.0), None);
    }

    /// A page with a button at that height, its word so far below its upper edge.
    fn button(word: &str, top: u32, below: f64) -> RgbaImage {
        let mut page = RgbaImage::from_pixel(160, 200, Rgba([18, 32, 44, 255]));
        let face = RgbaImage::from_pixel(107, 47, Rgba([255, 178, 71, 255]));
        imageops::replace(&mut page, &face, 20, i64::from(top));
        let at = FramePx {
            x: 54.0,
            y: f64::from(top) + below,
        };
        text(&mut page, at, 18.0, Rgba([18, 32, 44, 255]), word);
        page
    }

    #[test]
    fn a_button_whose_word_is_drawn_anew_at_another_fraction_of_a_pixel_is_found_and_another_word_is_not() {
        let shown = imageops::crop_imm(&button("New", 50, 14.0), 20, 50, 107, 47).to_image();
        let picture = PanelPicture::new(&shown);
        let moved = button("New", 69, 14.6);
        assert_eq!(picture.find_in(&moved, 0.0), None);
        assert_eq!(picture.find_drawn_anew(&moved, 0.0), Some((20, 69)));
        assert_eq!(picture.find_drawn_anew(&button("Next", 69, 14.6), 0.0), None);
        assert_eq!(picture.find_drawn_anew(&button("", 69, 14.6), 0.0), None);
        let mut two = moved.clone();
        imageops::replace(&mut two, &shown, 20, 140);
        assert_eq!(
            picture.find_drawn_anew(&two, 0.0),
            None,
            "it is unknown which one is meant"
        );
    }
}
