//! Reports that a live picture may have changed.

use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;
use torres_geometry::DesktopRect;

/// The receiving end: says when the picture within a region may have changed since it was last looked at.
///
/// A report says "look again", not "it is different": what was drawn may look the same. Reports that nobody has asked
/// for yet are one report.
#[derive(Debug)]
pub struct Changes {
    reports: watch::Receiver<u64>,
    region: Arc<Mutex<DesktopRect>>,
}

/// The sending end, in the hands of whoever hears of changes.
#[derive(Debug)]
pub struct Reporter {
    reports: watch::Sender<u64>,
    region: Arc<Mutex<DesktopRect>>,
}

impl Changes {
    /// Reports for a region, and who makes them.
    pub fn within(region: DesktopRect) -> (Reporter, Changes) {
        let (sender, receiver) = watch::channel(0);
        let region = Arc::new(Mutex::new(region));
        let reporter = Reporter {
            reports: sender,
            region: Arc::clone(&region),
        };
        let changes = Changes {
            reports: receiver,
            region,
        };
        (reporter, changes)
    }

    /// Watches another region from now on. What changed there before is not reported: look at it after this.
    pub fn watch(&mut self, region: DesktopRect) {
        *self.region.lock().unwrap_or_else(PoisonError::into_inner) = region;
    }

    /// Forgets the reports made so far. To be called right *before* a look, since the look sees all that they tell of;
    /// a change during the look is then reported after it.
    pub fn forget(&mut self) {
        self.reports.mark_unchanged();
    }

    /// Waits for a report; false when none will come any more, since whoever made them is gone. Dropping the
    /// future loses no report.
    pub async fn next(&mut self) -> bool {
        self.reports.changed().await.is_ok()
    }

    /// How many reports were made so far.
    pub fn count(&self) -> u64 {
        *self.reports.borrow()
    }
}

impl Reporter {
    /// Reports that something was drawn in these rectangles; said on only if one of them touches the region watched.
    pub fn drawn(&self, rects: impl IntoIterator<Item = DesktopRect>) {
        let region = *self.region.lock().unwrap_or_else(PoisonError::into_inner);
        if rects.into_iter().any(|rect| rect.intersect(&region).is_some()) {
            self.reports.send_modify(|count| *count += 1);
        }
    }

    /// Whether nobody listens any more.
    pub fn is_unheard(&self) -> bool {
        self.reports.is_closed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn rect(x: i32, y: i32) -> DesktopRect {
        DesktopRect {
            x,
            y,
            width: 10,
            height: 10,
        }
    }

    #[test]
    fn what_is_drawn_elsewhere_is_not_reported() {
        let (reporter, mut changes) = Changes::within(rect(100, 100));
        reporter.drawn([rect(90, 100), rect(100, 110)]);
        assert_eq!(changes.next().now_or_never(), None);
        reporter.drawn([rect(0, 0), rect(91, 91)]);
        assert_eq!(changes.next().now_or_never(), Some(true));
        assert_eq!(changes.next().now_or_never(), None);

        changes.watch(rect(0, 0));
        reporter.drawn([rect(100, 100)]);
        assert_eq!(changes.next().now_or_never(), None);
        reporter.drawn([rect(0, 0)]);
        assert_eq!(changes.next().now_or_never(), Some(true));
    }

    #[test]
    fn what_was_drawn_before_a_look_is_forgotten_and_after_it_is_not() {
        let (reporter, mut changes) = Changes::within(rect(0, 0));
        reporter.drawn([rect(0, 0)]);
        changes.forget();
        assert_eq!(changes.next().now_or_never(), None);
        reporter.drawn([rect(0, 0)]);
        reporter.drawn([rect(0, 0)]);
        assert_eq!(changes.next().now_or_never(), Some(true));
        assert_eq!(changes.next().now_or_never(), None);
        assert_eq!(changes.count(), 3);
    }

    #[test]
    fn each_end_knows_when_the_other_is_gone() {
        let (reporter, mut changes) = Changes::within(rect(0, 0));
        assert!(!reporter.is_unheard());
        let (other, gone) = Changes::within(rect(0, 0));
        drop(gone);
        assert!(other.is_unheard());
        drop(reporter);
        assert_eq!(changes.next().now_or_never(), Some(false));
    }
}
