import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { PAPER } from '../options.ts';
import type { PrintOptions } from '../options.ts';
import { Fields } from './fields.tsx';
import type { PrintDialogProps } from './index.ts';
import { printFrame, sheetsOf } from './preview.ts';

/** State of the area beside the options. */
type State =
  | { readonly step: 'options' | 'loading' }
  | { readonly step: 'shown'; readonly address: string; readonly sheets: number }
  | { readonly step: 'failed'; readonly text: string };

/** Maximum number of visible sheets: a viewer as high as all of them could need any amount of memory. */
const MAX_SHOWN = 10;

/** Aspect ratio at which a viewer shows sheets without scrolling. */
function aspectOf({ layout, paper_size }: PrintOptions, sheets: number): string {
  const [short, long] = PAPER[paper_size];
  const [width, height] = layout === 'landscape' ? [long, short] : [short, long];
  return `${width} / ${height * Math.min(sheets, MAX_SHOWN)}`;
}

/** Whether the browser has a PDF viewer. */
const shows = (): boolean => navigator.pdfViewerEnabled;

/** Asks for print options, then shows the preview. */
export default function PrintDialog(props: PrintDialogProps): ReactElement {
  const { allowed, texts, done } = props;
  const close = (): void => {
    done(undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isPrint = event.key.toLowerCase() === 'p' && (event.ctrlKey || event.metaKey);
    if (isPrint) event.preventDefault(); // the browser would print the dialog
  };
  return (
    <div className="print-dialog" dir={texts.direction} lang={texts.language} onKeyDown={onKeyDown}>
      <h2>{texts.text('print.title')}</h2>
      {allowed ? (
        <Printing {...props} />
      ) : (
        <form onSubmit={close}>
          <p data-dialog-text>{texts.text('ID_PRINT_ALERT_TEXT')}</p>
          <div className="actions">
            <button type="submit" autoFocus>
              {texts.text('print.close')}
            </button>
          </div>
        </form>
      )}
    </div>
  );
}

function Printing({ initial, preview, onFailed, texts, done }: PrintDialogProps): ReactElement {
  const [options, setOptions] = useState<PrintOptions>(initial);
  const [state, setState] = useState<State>({ step: 'options' });
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

  const begin = async (): Promise<void> => {
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
      setState({ step: 'failed', text: code === 'print-refused' ? 'ID_PRINT_ALERT_TEXT' : 'print.failed' });
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
  const button = (id: string, press: () => void, primary = false): ReactElement => (
    <button key={id} type="button" autoFocus={primary} className={primary ? 'primary' : undefined} onClick={press}>
      {texts.text(id)}
    </button>
  );
  const cancel = button('print.cancel', () => {
    done(undefined);
  });

  if (state.step === 'options')
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void begin();
        }}
      >
        <Fields options={options} onChange={setOptions} texts={texts} />
        <div className="actions">
          {cancel}
          <button type="submit">{texts.text('print.preview')}</button>
        </div>
      </form>
    );
  return (
    <div className={state.step}>
      {state.step === 'loading' && <p role="status">{texts.text('ID_PRINT_PREVIEW_STATUS')}</p>}
      {state.step === 'failed' && <p role="alert">{texts.text(state.text)}</p>}
      {state.step === 'shown' && shows() && (
        // Not clickable: the viewer creates links from addresses in the text, and a click on one would navigate to the site.
        <div className="sheets" role="region" aria-label={texts.text('print.preview')} tabIndex={0}>
          <iframe
            ref={frame}
            inert
            title={texts.text('print.preview')}
            src={`${state.address}#toolbar=0&navpanes=0&view=FitH`}
            style={{ aspectRatio: aspectOf(options, state.sheets) }}
          />
        </div>
      )}
      {state.step === 'shown' && (
        <p>
          {!shows() && `${texts.text('print.no-viewer')} `}
          <a href={state.address} target="_blank" rel="noopener" download="page.pdf">
            {texts.text('print.save')}
          </a>
        </p>
      )}
      <div className="actions">
        {cancel}
        {button('print.back', back, state.step === 'failed')}
        {state.step === 'shown' && shows() && button('print.print', () => void print(), true)}
      </div>
    </div>
  );
}
