import { useState } from 'react';
import type { ReactElement } from 'react';
import type { PrintOptions } from '../options.ts';
import { Fields } from './fields.tsx';
import type { PrintDialogProps } from './index.ts';
import { Sheets, showsSheets } from './sheets.tsx';
import { usePreview } from './use-preview.ts';

/** The options of a print, then its preview. */
export function Printing({ initial, texts, done, ...previewed }: PrintDialogProps): ReactElement {
  const [options, setOptions] = useState<PrintOptions>(initial);
  const { state, frame, begin, back, print } = usePreview(previewed);
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
          void begin(options);
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
      {state.step === 'shown' && <Sheets {...state} frame={frame} options={options} texts={texts} />}
      <div className="actions">
        {cancel}
        {button('print.back', back, state.step === 'failed')}
        {state.step === 'shown' && showsSheets() && button('print.print', () => void print(), true)}
      </div>
    </div>
  );
}
