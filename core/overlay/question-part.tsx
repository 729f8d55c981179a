import type { ReactElement } from 'react';
import type { PermissionProps } from './index.ts';

/** The question whether a page may fill the screen. Escape is no. */
export default function Permission({ site, texts, done }: PermissionProps): ReactElement {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        done(true);
      }}
    >
      <h2>{texts.text('fullscreen.title', { site: site || texts.text('fullscreen.this-page') })}</h2>
      <p data-dialog-text>{texts.text('fullscreen.text')}</p>
      <div className="actions">
        <button
          type="button"
          autoFocus
          onClick={() => {
            done(false);
          }}
        >
          {texts.text('fullscreen.block')}
        </button>
        <button type="submit" className="primary">
          {texts.text('fullscreen.allow')}
        </button>
      </div>
    </form>
  );
}
