/** A shell for the overlay's tests. Its test API is on `window`. */
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { Messages } from '../messages.ts';
import { Overlay } from '../overlay.ts';
import { question } from '../question.ts';
import type { QuestionProps } from '../question.ts';
import { ShellView } from '../shell-view.ts';
import { slot, SLOTS } from '../../contracts/slots.ts';
import type { DialogProps, Slots } from '../../contracts/slots.ts';

interface Question {
  readonly text: string;
  readonly late?: boolean;
  /** The content has its own dialog role. */
  readonly own?: boolean;
}

/** Test API in the page. */
interface TestShell {
  readonly reports: {
    readonly name: string;
    readonly data: unknown;
    readonly level: unknown;
    readonly force: unknown;
  }[];
  readonly shell: ShellView;
  readonly messages: Messages;
  readonly outcomes: unknown[];
  fill(slot: keyof typeof SLOTS, text: string, order?: number): () => void;
  fillBroken(): void;
  ask(question: Question, role?: 'alertdialog'): void;
  askWhether(title: string): void;
  askBroken(): void;
  abort(): void;
}

declare global {
  interface Window {
    test: TestShell;
  }
}

function Bar({ text }: { text: string }): ReactNode {
  return <button className="probe">{text}</button>;
}

function Broken(): ReactNode {
  throw new Error('broken');
}

function BrokenLater(): ReactNode {
  useEffect(() => {
    throw new Error('broken later');
  });
  return <p>Not for long</p>;
}

function Ask({ text, own = false, done }: Question & DialogProps<string>): ReactNode {
  if (own) return <section role="dialog" aria-label={text} />;
  return (
    <>
      <h2>{text}</h2>
      <p data-dialog-text>More of it</p>
      <input aria-label="Answer" />
      <button
        onClick={() => {
          done(`yes to ${text}`);
        }}
      >
        Yes
      </button>
      <button
        onClick={() => {
          done('no');
        }}
      >
        No
      </button>
    </>
  );
}

const reports: TestShell['reports'] = [];
const report = (
  name: string,
  data?: unknown,
  options?: { readonly level?: string; readonly force?: boolean },
): void => {
  reports.push({ name, data, level: options?.level, force: options?.force });
};
const messages = new Messages(navigator.languages, report);
await messages.loadCore();
const overlay = new Overlay({ document, texts: messages, report, origin: location.origin, hash: 'h1', apiVersion: 1 });
const slots: Slots = overlay.slotsOf('probe');
const dialog = slot<Question & DialogProps<string>>('probe.dialog', 'dialog');
const outcomes: unknown[] = [];
let abort = new AbortController();

window.test = {
  reports,
  messages,
  outcomes,
  shell: new ShellView(document, messages, report),
  fill: (name, text, order = 0) =>
    slots.fill(SLOTS[name], { load: () => Promise.resolve({ default: Bar }), styles: ['/probe.css'], order }, { text }),
  fillBroken: () => {
    slots.fill(SLOTS.bar, { load: () => Promise.resolve({ default: Broken }) }, {});
    const load = (): Promise<{ default: typeof Broken }> => Promise.reject(new Error('not there'));
    slots.fill(SLOTS.bar, { load }, {});
  },
  ask: (question, role) => {
    const load = async () => {
      if (question.late === true) await new Promise((resolve) => setTimeout(resolve, 100));
      return { default: Ask };
    };
    void slots
      .ask<Question, string>(dialog, { load, styles: ['/probe.css'], ...(role && { role }) }, question, abort.signal)
      .then((outcome) => outcomes.push(outcome ?? 'dismissed'));
  },
  askWhether: (title) => {
    const props = { title, text: 'More of it', no: 'Block', yes: 'Allow' };
    void slots
      .ask(slot<QuestionProps>('probe.question', 'dialog'), question, props)
      .then((outcome) => outcomes.push(outcome ?? 'dismissed'));
  },
  askBroken: () => {
    void slots
      .ask<Question, string>(dialog, { load: () => Promise.resolve({ default: BrokenLater }) }, { text: '' })
      .then((outcome) => outcomes.push(outcome ?? 'dismissed'));
  },
  abort: () => {
    abort.abort();
    abort = new AbortController();
  },
};
