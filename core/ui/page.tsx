import type { ReactElement, ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  /** Paragraphs: what has happened, and what the person can do. */
  readonly children: ReactNode;
  /** For those who help: codes, addresses. */
  readonly detail?: ReactNode;
  /** Buttons, and links of the class `vitrine-link`. */
  readonly actions?: ReactNode;
}

/** Stands in place of the page, in `SLOTS.page`, when there is none: it could not be opened, or is blocked. It is announced. */
export function Page({ title, children, detail, actions }: PageProps): ReactElement {
  return (
    <main className="vitrine-page">
      <div role="alert">
        <h1>{title}</h1>
        {children}
        {actions !== undefined && <div className="vitrine-page-actions">{actions}</div>}
        {detail !== undefined && <p className="vitrine-about">{detail}</p>}
      </div>
    </main>
  );
}
