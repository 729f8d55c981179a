/** Name and explanation of a wall on the page of protection. */
type TitledText = readonly [title: string, text: string];

/** Texts of the gateway's own pages. None has markup; `{…}` is replaced. */
export interface GatewayTexts {
  readonly portal: {
    readonly lead: string;
    readonly address: string;
    readonly open: string;
    /** Before and after the text that is no address. */
    readonly refused: string;
    readonly recent: string;
    readonly forget: string;
    readonly protection: string;
  };
  readonly waiting: {
    readonly title: string;
    readonly full: string;
    readonly address: string;
    readonly place: string;
    readonly again: string;
  };
  readonly protection: {
    readonly title: string;
    readonly lead: string;
    readonly on: string;
    readonly weaker: string;
    readonly off: string;
    readonly rules: string;
    readonly page: string;
    readonly show: string;
    readonly forPage: string;
    readonly anyPage: string;
    readonly yes: string;
    readonly no: string;
    readonly forgery: string;
    readonly openSite: string;
    readonly code: TitledText;
    readonly sandbox: TitledText;
    readonly users: TitledText;
    readonly sharedUser: TitledText;
    readonly limits: TitledText;
    readonly weakLimits: TitledText;
    readonly decoders: TitledText;
    readonly weakDecoders: TitledText;
    readonly privateOpen: TitledText;
    readonly privateSome: TitledText;
    readonly privateClosed: TitledText;
    readonly encrypted: TitledText;
    readonly plain: TitledText;
  };
  readonly admission: { readonly title: string; readonly text: string };
}
