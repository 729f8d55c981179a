import { useSignals } from '@preact/signals-react/runtime';
import type { ReactElement } from 'react';
import type { PanelProps } from './index.ts';

/** "N links", and a button to count again. */
export default function Panel({ links, onCount }: PanelProps): ReactElement {
  useSignals(); // renders again when a signal that is read below changes
  return (
    <section className="my-plugin" aria-label="Links">
      <output>{links.value} links</output>
      <button type="button" onClick={onCount}>
        Count
      </button>
    </section>
  );
}
