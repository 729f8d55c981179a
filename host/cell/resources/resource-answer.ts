/** A served resource of a page, with its headers (`host/resources/resource-headers.ts`). */
export interface ResourceAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}
