import type { ReactElement, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

/** `problem` interrupts a screen reader; the others wait until it pauses. */
export type NoticeKind = 'info' | 'good' | 'warning' | 'problem';

const ICON: Readonly<Record<NoticeKind, IconName>> = {
  info: 'info',
  good: 'check',
  warning: 'warning',
  problem: 'warning',
};

interface NoticeProps {
  readonly kind?: NoticeKind | undefined;
  readonly children: ReactNode;
  /** Buttons. */
  readonly actions?: ReactNode;
  /** With the name of its button. */
  readonly onClose?: (() => void) | undefined;
  readonly closeLabel?: string | undefined;
}

/** A short text beside the page, or inside of a question, with what can be done about it. It is announced when it appears. */
export function Notice({ kind = 'info', children, actions, onClose, closeLabel = '' }: NoticeProps): ReactElement {
  return (
    <div className="vitrine-notice" data-kind={kind} role={kind === 'problem' ? 'alert' : 'status'}>
      <Icon name={ICON[kind]} />
      <div>{children}</div>
      {actions}
      {onClose && <IconButton icon="close" label={closeLabel} onPress={onClose} />}
    </div>
  );
}

/** Tells screen readers what changes on the screen, such as a counter. Seen by nobody. */
export function Announcement({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <div className="vitrine-unseen" role="status">
      {children}
    </div>
  );
}
