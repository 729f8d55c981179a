/** Parts of the protocol that no browser test brings over a channel, and all below them, with the reason. It only gets shorter. */
export const UNWALKED: Readonly<Record<string, string>> = {};
