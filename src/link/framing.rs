//! Bytes to lines and back: one JSON object per line, at most [`MAX_LINE`] bytes.
//!
//! The decoder is pure and forgets what it need not keep: an overlong line costs one error and no memory beyond
//! the limit, however long it goes on.

use super::messages::MAX_LINE;
use serde::Serialize;
use serde::de::DeserializeOwned;
use torres_printing::shortened;

/// A message about what the other side said quotes no more characters of it than this: it has to fit a line itself.
pub(super) const QUOTED: usize = 1000;

/// What stands between two newlines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its newline.
    Whole(Vec<u8>),
    /// A line longer than [`MAX_LINE`] bytes; the rest of it, up to its newline, is skipped.
    TooLong,
}

/// Cuts a stream of bytes into lines, however the stream was split on its way.
#[derive(Debug, Default)]
pub(crate) struct LineDecoder {
    /// The unfinished line; at most `MAX_LINE` bytes.
    partial: Vec<u8>,
    /// Inside an overlong line that was already reported.
    skipping: bool,
}

impl LineDecoder {
    /// Takes the next bytes of the stream and returns the lines that they finish. [`Line::TooLong`] comes as soon as
    /// the limit is passed, before the line's end.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let ends = piece.ends_with(b"\n");
            if !self.skipping {
                if self.partial.len() + piece.len() > MAX_LINE
                    || (!ends && self.partial.len() + piece.len() == MAX_LINE)
                {
                    self.partial.clear();
                    self.skipping = true;
                    lines.push(Line::TooLong);
                } else {
                    self.partial.extend_from_slice(piece);
                }
            }
            if ends {
                if !self.skipping {
                    self.partial.pop();
                    lines.push(Line::Whole(std::mem::take(&mut self.partial)));
                }
                self.skipping = false;
            }
        }
        lines
    }
}

/// A line that is no message: what is wrong with it, and the id it carries if one could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotAMessage {
    /// The `id` of the JSON object, if it is one and has one.
    pub id: Option<u64>,
    /// What is wrong and what to do.
    pub problem: String,
}

/// Reads one line as a message. Unknown fields are ignored.
pub(crate) fn decode<M: DeserializeOwned>(line: &Line) -> Result<M, NotAMessage> {
    let bytes = match line {
        Line::Whole(bytes) => bytes,
        Line::TooLong => {
            let problem = format!("the line is longer than {MAX_LINE} bytes; send shorter ones");
            return Err(NotAMessage { id: None, problem });
        }
    };
    serde_json::from_slice(bytes).map_err(|error| {
        let object: Option<serde_json::Value> = serde_json::from_slice(bytes).ok();
        let id = object.and_then(|object| object.get("id")?.as_u64());
        let error = shortened(&error.to_string(), QUOTED);
        let problem = format!("the line is not a message of this protocol ({error}); send one JSON object per line");
        NotAMessage { id, problem }
    })
}

/// Writes a message as one line, newline included.
///
/// Fails when the line would be longer than [`MAX_LINE`] bytes, which the other side would refuse.
pub(crate) fn encode<M: Serialize>(message: &M) -> Result<Vec<u8>, String> {
    let mut line = serde_json::to_vec(message).map_err(|error| format!("the message cannot be written: {error}"))?;
    line.push(b'\n');
    if line.len() > MAX_LINE {
        return Err(format!(
            "the message has {} bytes, {MAX_LINE} are allowed; shorten it",
            line.len()
        ));
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::super::messages::{Go, Limits, ToEngine};
    use super::*;
    use proptest::prelude::*;

    /// The specification, for a whole stream at once: split at newlines, judge each line by its length.
    fn lines_of(stream: &[u8]) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut pieces = stream.split(|&byte| byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            let finished = pieces.peek().is_some();
            if piece.len() >= MAX_LINE {
                lines.push(Line::TooLong);
            } else if finished {
                lines.push(Line::Whole(piece.to_vec()));
            }
        }
        lines
    }

    /// Streams rich in newlines, with lines around the limit among them.
    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let noise = prop::collection::vec(prop_oneof![3 => any::<u8>(), 1 => Just(b'\n')], 0..200);
        let long = (MAX_LINE - 3..MAX_LINE + 3).prop_map(|length| vec![b'x'; length]);
        prop::collection::vec(prop_oneof![4 => noise, 1 => long], 0..6).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn any_bytes_in_any_pieces_give_the_same_lines(
            stream in stream(),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            cuts.extend([0, stream.len()]);
            cuts.sort_unstable();
            let mut decoder = LineDecoder::default();
            let mut lines = Vec::new();
            for pair in cuts.windows(2) {
                lines.extend(decoder.feed(&stream[pair[0]..pair[1]]));
                prop_assert!(decoder.partial.len() <= MAX_LINE);
            }
            prop_assert_eq!(lines, lines_of(&stream));
        }

        #[test]
        fn any_line_is_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            // Random bytes are never a message: they must come back as a refusal, not as a panic.
            prop_assert!(decode::<ToEngine>(&Line::Whole(bytes)).is_err());
        }

        #[test]
        fn a_message_survives_the_way(id in any::<u64>(), fen in ".*", ms in any::<Option<u64>>(), ponder in any::<bool>()) {
            let limits = Limits { move_ms: ms, ..Limits::default() };
            let moves = vec!["e2e4".to_string()];
            let go = ToEngine::Go(Go { id, fen, moves, limits, elo: None, style: None, ponder, infinite: false });
            let line = encode(&go).unwrap();
            let lines = LineDecoder::default().feed(&line);
            prop_assert_eq!(lines.len(), 1);
            prop_assert_eq!(decode::<ToEngine>(&lines[0]), Ok(go));
        }
    }

    #[test]
    fn the_limit_counts_the_newline() {
        let mut longest = vec![b' '; MAX_LINE - 1];
        longest.push(b'\n');
        assert!(matches!(LineDecoder::default().feed(&longest)[..], [Line::Whole(_)]));
        longest.insert(0, b' ');
        assert_eq!(LineDecoder::default().feed(&longest), [Line::TooLong]);
    }

    #[test]
    fn a_malformed_line_keeps_its_id_where_it_can_be_read() {
        let refusal = |text: &str| decode::<ToEngine>(&Line::Whole(text.into())).unwrap_err();
        assert_eq!(refusal(r#"{"type":"dance","id":9}"#).id, Some(9));
        assert_eq!(refusal(r#"{"type":"go","id":9}"#).id, Some(9));
        assert_eq!(refusal(r#"{"type":"go","id":-1,"fen":"x"}"#).id, None);
        assert_eq!(refusal("e2e4").id, None);
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let line = Line::Whole(br#"{"type":"ping","id":8,"mood":"fine"}"#.to_vec());
        assert_eq!(decode(&line), Ok(ToEngine::Ping { id: 8 }));
    }

    #[test]
    fn a_message_over_the_limit_is_not_sent() {
        let moves = vec!["e2e4".to_string(); 10_000];
        let go = Go {
            id: 1,
            fen: String::new(),
            moves,
            limits: Limits::default(),
            ..Go::default()
        };
        assert!(encode(&ToEngine::Go(go)).is_err());
    }
}
