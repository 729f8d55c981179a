import type { ReactElement } from 'react';
import type { Texts } from '../../../core/index.ts';
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
    <label>
      {texts.text(`print.${name}`)}
      <select
        autoFocus={name === 'layout'}
        value={options[name]}
        onChange={({ target }) => {
          const chosen = values[target.selectedIndex];
          if (chosen !== undefined) onChange({ ...options, [name]: chosen });
        }}
      >
        {values.map((value) => (
          <option key={value} value={value}>
            {texts.text(`print.${value}`)}
          </option>
        ))}
      </select>
    </label>
  );
  const check = (name: 'header_footer' | 'background'): ReactElement => (
    <label className="check">
      <input
        type="checkbox"
        checked={options[name]}
        onChange={({ target }) => {
          onChange({ ...options, [name]: target.checked });
        }}
      />
      {texts.text(`print.${name}`)}
    </label>
  );
  return (
    <div className="fields">
      {choose('layout', LAYOUTS)}
      {choose('paper_size', PAPER_SIZES)}
      <label>
        {texts.text('print.scale')}
        <input
          type="number"
          required
          min={MIN_SCALE}
          max={MAX_SCALE}
          step={1}
          value={options.scale || ''}
          onChange={({ target }) => {
            onChange({ ...options, scale: target.valueAsNumber || 0 });
          }}
        />
      </label>
      {check('header_footer')}
      {check('background')}
    </div>
  );
}
