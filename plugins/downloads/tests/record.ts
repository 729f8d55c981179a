/** A download as the host announces it. */
export const RECORD = {
  id: 1,
  uri: 'https://site.test/a',
  filename: 'a.txt',
  asked: true,
  again: true,
  key: 'K',
  received: 0,
};
