import type { Recorder } from '../contracts/kernel.ts';

const nothing = (): void => {};

/** A recorder that writes nothing. Nodes still get their ids, for the other page halves. */
export const noRecorder: Recorder = {
  seq: 0,
  begin: nothing,
  outdated: () => false,
  isUrgent: () => false,
  open: nothing,
  element: nothing,
  text: nothing,
  shadow: nothing,
  leave: nothing,
  close: nothing,
  full: () => false,
  move: nothing,
  remove: nothing,
  attribute: nothing,
  data: nothing,
  content: nothing,
  end: nothing,
};
