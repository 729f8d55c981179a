declare module 'css-tree/tokenizer' {
  /** Calls back for every token with its type and range; a byte order mark at the start is skipped. */
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void;
}
