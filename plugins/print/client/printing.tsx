import { useState } from 'react';
import type { ReactElement } from 'react';
import { Question } from '../../../core/ui.ts';
import type { Answer } from '../../../core/ui.ts';
import type { PrintOptions } from '../options.ts';
import { Fields } from './fields.tsx';
import type { PrintDialogProps } from './index.ts';
import { Sheets, showsSheets } from './sheets.tsx';
import { usePreview } from './use-preview.ts';

/** The options of a print, then its preview. */
export function Printing({ initial, texts, done, ...previewed }: PrintDialogProps): ReactElement {
  const [options, setOptions] = useState<PrintOptions>(initial);
  const { state, frame, begin, back, print } = usePreview(previewed);
  /** An answer that keeps the dialog open. */
  const step = (id: string, press: () => void, more?: Pick<Answer<true>, 'kind' | 'isDefault'>): Answer<true> => ({
    label: texts.text(id),
    value: () => {
      press();
      return undefined;
    },
    ...more,
  });
  const cancel: Answer<true> = { label: texts.text('print.cancel'), value: true };
  const answers =
    state.step === 'options'
      ? [cancel, step('print.preview', () => void begin(options), { kind: 'primary' })]
      : [
          cancel,
          step('print.back', back, { isDefault: state.step !== 'shown' }),
          ...(state.step === 'shown' && showsSheets()
            ? [step('print.print', () => void print(), { kind: 'primary', isDefault: true })]
            : []),
        ];
  return (
    <div className={state.step}>
      <Question
        title={texts.text('print.title')}
        answers={answers}
        done={() => {
          done(undefined);
        }}
      >
        {state.step === 'options' && <Fields options={options} onChange={setOptions} texts={texts} />}
        {state.step === 'loading' && <p role="status">{texts.text('ID_PRINT_PREVIEW_STATUS')}</p>}
        {state.step === 'failed' && <p role="alert">{texts.text(state.text)}</p>}
        {state.step === 'shown' && <Sheets {...state} frame={frame} options={options} texts={texts} />}
      </Question>
    </div>
  );
}
