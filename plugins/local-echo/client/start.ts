import { inputToken, rendererToken, textsToken } from '../../../core/index.ts';
import type { ClientScope, DeviceView, Editable, ParamsOf } from '../../../core/index.ts';
import type { manifest } from '../manifest.ts';
import { editorSeq, lechoHash, precheck } from '../protocol.ts';
import type { editorSeqDone, precheckFailure } from '../protocol.ts';
import { actOf } from './acts.ts';
import { warnOfMismatch } from './alert.ts';
import { watchDelay } from './bubble-watch.ts';
import { Checks } from './checks.ts';
import { LocalEcho } from './local-echo.ts';
import { Marks } from './marks.ts';
import { Trust } from './trust.ts';

type Scope = ClientScope<typeof manifest>;

const CATALOGUES = {
  en: () => import('./messages/en.ts'),
  de: () => import('./messages/de.ts'),
  ar: () => import('./messages/ar.ts'),
};
/** Events after which only the page knows what a text is. */
const OTHER_ACTS = [
  ...(['mousedown', 'mouseup', 'pointercancel', 'paste', 'cut', 'drop', 'compositionstart', 'compositionend'] as const),
  // Text without a key; the key press that completes an accent: other keys are kept from having one.
  ...(['beforeinput', 'keypress'] as const),
];

/**
 * Shows typed characters before the page has answered, from now on (M-026, M-046, M-047). `extended`: in rich text, too.
 */
export async function startEcho(scope: Scope, extended: boolean): Promise<Answers | undefined> {
  const { commands, services, signal, onDispose } = scope;
  await services.get(textsToken).load(CATALOGUES);
  const editing = await services.get(rendererToken).editing();
  if (signal.aborted) return undefined;
  // Of the page that is shown: another one may have others.
  const config = (): EchoConfig => configOf(scope);
  const counts = { echoed: 0, wrong: 0 };

  const marks = new Marks(({ seq, frame, isRich, isExact }) => {
    commands.send(editorSeq, { frame, seq, isRich, is_exact: isExact, ...counts });
    counts.echoed = counts.wrong = 0;
  });
  const checks = new Checks(({ kind, target }, { length, hash }) => {
    if (kind === 'rich') commands.send(lechoHash, { target, length, hash });
    else commands.send(precheck, { target, length, hash });
  });
  const trust = new Trust({
    get tolerance() {
      return config().tolerance;
    },
    get toleranceMs() {
      return config().tolerance_time;
    },
  });
  const mayEcho = ({ kind }: Editable): boolean => {
    const { disable_local_echo: no, disable_local_echo_ext: notRich } = scope.session.siteCapabilities();
    return no !== true && (kind === 'control' || (extended && notRich !== true));
  };
  const echo = new LocalEcho({
    focused: () => {
      const field = editing.focused();
      return field && mayEcho(field) ? field : undefined;
    },
    trust,
    get maxTypeahead() {
      return config().max_typeahead;
    },
    ask: (seq, field, isExact) => marks.ask(seq, field, isExact),
    echoed: () => (counts.echoed += 1),
    wrong: () => (counts.wrong += 1),
    settled: (field) => checks.settled(field),
  });

  onDispose(editing.onDrawn(() => echo.drawn()));
  onDispose(
    services.get(inputToken).add((view) =>
      listen(view, (act) => {
        checks.acted();
        echo.act(act);
      }),
    ),
  );
  watchDelay(scope, echo);
  onDispose(() => {
    marks.stop();
    checks.stop();
    echo.stop();
  });
  // Keys of before may still be on their way to the page.
  echo.act({ kind: 'other' });
  return {
    handled: ({ seq, is_exact: isExact }) => {
      marks.answered(seq);
      echo.handled(seq, isExact);
    },
    differs: ({ target, length, hash }) => {
      const field = echo.field ? undefined : checks.differs(target, { length, hash });
      if (field) void warnOfMismatch(scope, config(), field, trust);
    },
  };
}

/** Takes the answers of the host. */
interface Answers {
  readonly handled: (done: ParamsOf<typeof editorSeqDone>) => void;
  readonly differs: (failure: ParamsOf<typeof precheckFailure>) => void;
}

/** The policy's settings, at their defaults where the host says nothing. */
function configOf({ session }: Scope) {
  const { local_echo: said = {} } = session.siteCapabilities();
  const defaults = {
    tolerance: 3,
    tolerance_time: 10_000,
    max_typeahead: 200,
    need_confirmation: false,
    show_alert: false,
  };
  return { ...defaults, ...said };
}

export type EchoConfig = ReturnType<typeof configOf>;

/** Hears what the person does in a document, after the devices that send it to the page. */
function listen({ on }: DeviceView, act: LocalEcho['act']): void {
  on('keydown', (event) => {
    if (event.isComposing || event.key === 'Process' || event.key === 'Unidentified' || event.key === 'Dead') return;
    const isOption = /mac|iphone|ipad/i.test(navigator.platform) && event.altKey && !event.ctrlKey && !event.metaKey;
    const isAltGraph = event.getModifierState('AltGraph') || (isOption && event.key.length === 1);
    // A key that is not prevented is one that the browser uses itself: it copies, or goes to another tab.
    const done = event.defaultPrevented || event.ctrlKey || event.metaKey ? actOf(event, isAltGraph) : undefined;
    if (done) act(event.defaultPrevented ? done : { kind: 'other' });
  });
  for (const type of OTHER_ACTS) on(type, () => act({ kind: 'other' }));
}
