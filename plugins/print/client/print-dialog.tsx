import type { KeyboardEvent, ReactElement } from 'react';
import { Question } from '../../../core/ui.ts';
import type { PrintDialogProps } from './index.ts';
import { Printing } from './printing.tsx';

/** Asks for print options, then shows the preview. */
export default function PrintDialog(props: PrintDialogProps): ReactElement {
  const { allowed, texts, done } = props;
  const onKeyDown = (event: KeyboardEvent): void => {
    const isPrint = event.key.toLowerCase() === 'p' && (event.ctrlKey || event.metaKey);
    if (isPrint) event.preventDefault(); // the browser would print the dialog
  };
  return (
    <div className="print-dialog" dir={texts.direction} lang={texts.language} onKeyDown={onKeyDown}>
      {allowed ? (
        <Printing {...props} />
      ) : (
        <Question
          title={texts.text('print.title')}
          text={texts.text('ID_PRINT_ALERT_TEXT')}
          answers={[{ label: texts.text('print.close'), value: true, kind: 'primary', isDefault: true }]}
          done={() => {
            done(undefined);
          }}
        />
      )}
    </div>
  );
}
