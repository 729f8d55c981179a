import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import type { PrintOptions } from '../options.ts';
import type { PrintDialogProps } from './index.ts';
import { printFrame, sheetsOf } from './preview.ts';

/** Texts of errors that people can do something about, by code. */
const FAILED: ReadonlyMap<unknown, string> = new Map([
  ['print-refused', 'ID_PRINT_ALERT_TEXT'],
  ['print-too-large', 'print.too-large'],
]);

/** State of a preview: only the options, or a later step. */
type PreviewState =
  | { readonly step: 'options' | 'loading' }
  | { readonly step: 'shown'; readonly address: string; readonly sheets: number }
  | { readonly step: 'failed'; readonly text: string };

/** A preview with the steps that change its state. */
interface Preview {
  readonly state: PreviewState;
  /** The frame that shows the sheets. */
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly begin: (options: PrintOptions) => Promise<void>;
  readonly back: () => void;
  readonly print: () => Promise<void>;
}

/**
 * One preview at a time: requested, shown, printed. It is aborted when the component unmounts; its address is revoked when it is no longer
 * shown.
 */
export function usePreview({ preview, onFailed }: Pick<PrintDialogProps, 'preview' | 'onFailed'>): Preview {
  const [state, setState] = useState<PreviewState>({ step: 'options' });
  const running = useRef(new AbortController());
  const frame = useRef<HTMLIFrameElement>(null);
  const address = state.step === 'shown' ? state.address : undefined;

  useEffect(() => () => running.current.abort(), []);
  useEffect(
    () => () => {
      if (address !== undefined) URL.revokeObjectURL(address);
    },
    [address],
  );

  const begin = async (options: PrintOptions): Promise<void> => {
    const { signal } = (running.current = new AbortController());
    setState({ step: 'loading' });
    try {
      const pdf = await preview(options, signal);
      const sheets = await sheetsOf(pdf);
      if (!signal.aborted) setState({ step: 'shown', address: URL.createObjectURL(pdf), sheets });
    } catch (thrown) {
      if (signal.aborted) return;
      const { code } = thrown as { readonly code?: unknown }; // any thrown value
      onFailed(String(thrown));
      setState({ step: 'failed', text: FAILED.get(code) ?? 'print.failed' });
    }
  };
  const back = (): void => {
    running.current.abort();
    setState({ step: 'options' });
  };
  const print = async (): Promise<void> => {
    if (!frame.current) return;
    const { signal } = running.current;
    const isPrinting = await printFrame(frame.current, signal).catch(() => true); // closed in the meantime
    if (!isPrinting) setState({ step: 'failed', text: 'print.failed' });
  };
  return { state, frame, begin, back, print };
}
