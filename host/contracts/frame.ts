/** A frame of the surrogate's page. Ids are ours: small integers, never reused within a tab; 1 is the main frame. */
export interface Frame {
  readonly id: number;
  /** 0 for the main frame. */
  readonly parent: number;
  /** As Chromium reports it: hostile text. */
  readonly url: string;
  /** `scheme://host:port` or `null`. As the page's own process reports it: see `Frames.originOf`. */
  readonly origin: string;
  readonly mimeType: string;
}
