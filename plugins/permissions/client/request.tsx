import type { ReactElement } from 'react';
import type { RequestProps } from './index.ts';

/** The question whether a page may be told where the person is. Escape is no. */
export default function Request({ request, texts, done }: RequestProps): ReactElement {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        done(true);
      }}
    >
      <h2>{texts.text('permissions.location-title', { site: request.site || texts.text('permissions.this-page') })}</h2>
      <p data-dialog-text>{texts.text('permissions.location-text')}</p>
      <div className="actions">
        <button
          type="button"
          autoFocus
          onClick={() => {
            done(false);
          }}
        >
          {texts.text('permissions.block')}
        </button>
        <button type="submit" className="primary">
          {texts.text('permissions.allow')}
        </button>
      </div>
    </form>
  );
}
