import type { KeyboardEvent, ReactElement } from 'react';
import type { PrintDialogProps } from './index.ts';
import { Printing } from './printing.tsx';

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
