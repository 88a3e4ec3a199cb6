// Operations of the package elementwise, by tenon::typed_operations.
use tenon::{args, Arg, Element, Operation, Reads, Result, Stream, Writes};

/// The operation elementwise/sigmoid.
#[derive(Clone)]
pub struct Sigmoid(Operation);

impl Sigmoid {
    pub fn find() -> Result<Sigmoid> {
        Operation::find("elementwise/sigmoid").map(Sigmoid)
    }

    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T0: Element>(
        &self,
        x: impl Reads<'a, T0>,
        y: impl Writes<'a, T0>,
        stream: Option<&Stream>,
    ) -> Result<()> {
        let list: &[Arg<'a>] = args![
            x.into(),
            y.into(),
        ];
        self.0.call(list, stream)
    }
}

/// The operation elementwise/clamp.
#[derive(Clone)]
pub struct Clamp(Operation);

impl Clamp {
    pub fn find() -> Result<Clamp> {
        Operation::find("elementwise/clamp").map(Clamp)
    }

    #[allow(clippy::too_many_arguments)]
    pub fn call<'a, T0: Element>(
        &self,
        x: impl Reads<'a, T0>,
        low: T0,
        high: T0,
        y: impl Writes<'a, T0>,
        stream: Option<&Stream>,
    ) -> Result<()> {
        let list: &[Arg<'a>] = args![
            x.into(),
            Arg::from(low),
            Arg::from(high),
            y.into(),
        ];
        self.0.call(list, stream)
    }
}
