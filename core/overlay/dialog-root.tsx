import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import { toAppError } from '../protocol/errors.ts';
import type { AppError } from '../protocol/errors.ts';
import type { Dialog, OpenDialog } from './dialog-queue.ts';
import { delayActivation } from './activation-delay.ts';
import { Fault } from './fault.tsx';
import { styled } from './styled.ts';

/** Content with its own role needs no frame with one. */
const OWN_ROLE = '[role="dialog"], [role="alertdialog"], [role="menu"]';
const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]';

function focusable(dialog: HTMLElement): HTMLElement[] {
  return [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility(),
  );
}

/** Keeps Tab inside: after the last element, focus moves to the first, and the reverse. */
function holdTab(event: KeyboardEvent<HTMLElement>): void {
  const all = focusable(event.currentTarget);
  const { activeElement } = event.currentTarget.ownerDocument;
  const [end, other] = event.shiftKey ? [all[0], all.at(-1)] : [all.at(-1), all[0]];
  if (activeElement !== end && all.includes(activeElement as HTMLElement)) return; // only compared
  event.preventDefault();
  other?.focus();
}

/** Runs once its siblings, which may load late, are rendered. */
function Opened({ onOpened }: { onOpened: () => void }): null {
  useEffect(onOpened, [onOpened]);
  return null;
}

interface FrameProps {
  readonly dialog: Dialog;
  readonly done: (outcome: unknown) => void;
  readonly children: ReactNode;
}

function DialogFrame({ dialog, done, children }: FrameProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const opened = useRef(() => {
    const frame = element.current;
    if (!frame) return;
    if (frame.querySelector(OWN_ROLE)) frame.removeAttribute('role');
    const label = frame.querySelector('h1, h2, [data-dialog-label]');
    if (!frame.role) frame.removeAttribute('aria-modal');
    else if (label) {
      label.id ||= 'vitrine-dialog-label';
      frame.setAttribute('aria-labelledby', label.id);
    } else frame.setAttribute('aria-label', dialog.slot);
    const text = frame.querySelector('[data-dialog-text]');
    if (frame.role && text) {
      text.id ||= 'vitrine-dialog-text';
      frame.setAttribute('aria-describedby', text.id);
    }
    frame.ownerDocument.defaultView?.focus();
    if (frame.contains(frame.ownerDocument.activeElement)) return; // React has already applied `autoFocus`
    (frame.querySelector<HTMLElement>('[data-autofocus], [autofocus]') ?? focusable(frame)[0] ?? frame).focus();
  });
  const isMenu = dialog.role === 'menu';
  // A menu opens by the person's own press, and only where that was: nothing has lured them to it.
  useLayoutEffect(() => (element.current && !isMenu ? delayActivation(element.current) : undefined), [isMenu]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Tab') holdTab(event);
    else if (event.key === 'Escape' && !event.defaultPrevented && !event.nativeEvent.isComposing) done(undefined);
  };
  return (
    <div
      className="vitrine-backdrop"
      data-menu={isMenu || undefined}
      onPointerDown={({ target, currentTarget }) => {
        if (isMenu && target === currentTarget) done(undefined);
      }}
      onContextMenu={(event) => {
        if (isMenu) event.preventDefault();
      }}
    >
      <div
        ref={element}
        className="vitrine-dialog"
        role={isMenu ? undefined : dialog.role}
        aria-modal={isMenu ? undefined : true}
        tabIndex={-1}
        data-slot={dialog.slot}
        onKeyDown={onKeyDown}
      >
        <Suspense fallback={null}>
          {children}
          <Opened onOpened={opened.current} />
        </Suspense>
      </div>
    </div>
  );
}

/** Creates the function that shows dialogs. A fault closes the dialog in which it occurs. */
export function dialogOpener(
  onFault: (fault: AppError, plugin: string) => void,
  language: { lang: string; dir: string },
): OpenDialog {
  return (document, dialog, done) => {
    const container = document.createElement('div');
    document.body.append(container);
    document.documentElement.lang = language.lang;
    document.documentElement.dir = language.dir;
    const Content = lazy(async () => {
      const [module] = await Promise.all([dialog.load(), ...dialog.styles.map((href) => styled(document, href))]);
      return module;
    });
    const failed = (thrown: unknown): void => {
      onFault(toAppError(thrown), dialog.plugin);
      queueMicrotask(() => {
        done(undefined); // not during rendering
      });
    };
    const root = createRoot(container);
    flushSync(() => {
      root.render(
        <Fault onFault={failed}>
          <DialogFrame dialog={dialog} done={done}>
            <Content {...dialog.props} done={done} />
          </DialogFrame>
        </Fault>,
      );
    });
    return () => {
      queueMicrotask(() => {
        root.unmount();
        container.remove();
      });
    };
  };
}
