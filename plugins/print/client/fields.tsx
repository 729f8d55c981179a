import type { ReactElement } from 'react';
import type { Texts } from '../../../core/index.ts';
import { CheckField, NumberField, SelectField } from '../../../core/ui.ts';
import { LAYOUTS, MAX_SCALE, MIN_SCALE, PAPER_SIZES } from '../options.ts';
import type { PrintOptions } from '../options.ts';

interface FieldsProps {
  readonly options: PrintOptions;
  readonly onChange: (options: PrintOptions) => void;
  readonly texts: Texts;
}

/** The print options, each with its label. */
export function Fields({ options, onChange, texts }: FieldsProps): ReactElement {
  const choose = <K extends 'layout' | 'paper_size'>(name: K, values: readonly PrintOptions[K][]): ReactElement => (
    <SelectField<PrintOptions[K]>
      label={texts.text(`print.${name}`)}
      autoFocus={name === 'layout'}
      value={options[name]}
      options={values.map((value) => ({ value, label: texts.text(`print.${value}`) }))}
      onChange={(value) => {
        onChange({ ...options, [name]: value });
      }}
    />
  );
  const check = (name: 'header_footer' | 'background'): ReactElement => (
    <CheckField
      label={texts.text(`print.${name}`)}
      checked={options[name]}
      onChange={(checked) => {
        onChange({ ...options, [name]: checked });
      }}
    />
  );
  return (
    <>
      <div className="fields">
        {choose('layout', LAYOUTS)}
        {choose('paper_size', PAPER_SIZES)}
        <NumberField
          label={texts.text('print.scale')}
          min={MIN_SCALE}
          max={MAX_SCALE}
          value={options.scale || NaN}
          onChange={(value) => {
            onChange({ ...options, scale: value || 0 });
          }}
        />
      </div>
      {check('header_footer')}
      {check('background')}
    </>
  );
}
