import type { Renderer } from '../contracts/renderer.ts';
import { watchFocus } from './away.ts';
import { showLatency } from './latency-cursor.ts';

/** Starts the parts of input that boot does not wait for: the cursor for a slow connection, and the focus that leaves. Answers with the undo. */
export function accompanyInput(document: Document, renderer: Renderer, onAway: () => void): () => void {
  const undo = [showLatency(document, renderer), watchFocus(renderer, onAway)];
  return () => undo.forEach((each) => each());
}
