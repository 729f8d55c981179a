import { onAbort } from '../../../core/protocol/on-abort.ts';
import { quotable } from '../../../host/plugin.ts';
import type { ActivateHost } from '../../../host/plugin.ts';
import type { manifest } from '../manifest.ts';
import { challengeClose, challengeDismiss, challengeOpen, MAX_ORIGIN, MAX_REALM } from '../protocol.ts';
import type { Challenge } from '../protocol.ts';
import { challengesToken } from './challenges.ts';
import type { ChallengedRequest, Credentials } from './challenges.ts';
import { Declined } from './declined.ts';

/** Maximum number of requests of a tab that wait for an answer; more are declined. */
const MAX_WAITING = 100;

/** A question to the person, and all requests that its answer is for: those of the same server, with the same words. */
interface Question {
  readonly challenge: Challenge;
  readonly waiting: Set<(credentials: Credentials | undefined) => void>;
}

/** Asks the person for the passwords that servers demand: one question at a time, each server's once for all of its requests (S-128). */
export const activate: ActivateHost<typeof manifest> = (scope) => {
  const { commands, hooks, tab, services, input, records, onDispose } = scope;
  const questions: Question[] = [];
  const declined = new Declined(input.gesture);
  let last = 0;

  const show = (): void => {
    const [first] = questions;
    if (first) commands.send(challengeOpen, first.challenge);
  };
  const end = (question: Question, credentials: Credentials | undefined): void => {
    const at = questions.indexOf(question);
    if (at < 0) return;
    questions.splice(at, 1);
    for (const settle of question.waiting) settle(credentials);
    if (at === 0) show();
  };
  const questionOf = ({ origin, realm, isAgain }: ChallengedRequest): Question => {
    const words = quotable(realm, MAX_REALM);
    const same = questions.find(({ challenge }) => challenge.origin === origin && challenge.realm === words);
    if (same && !isAgain) return same;
    const challenge: Challenge = {
      id: ++last,
      origin: origin.slice(0, MAX_ORIGIN),
      realm: words,
      isSecure: origin.startsWith('https:'),
      isAgain,
      isOther: origin !== URL.parse(tab.destination() ?? tab.url())?.origin,
    };
    const question: Question = { challenge, waiting: new Set() };
    questions.push(question);
    records.count('challenges');
    if (questions.length === 1) show();
    return question;
  };
  const ask = (request: ChallengedRequest): Promise<Credentials | undefined> => {
    const waiting = questions.reduce((sum, question) => sum + question.waiting.size, 0);
    if (waiting >= MAX_WAITING || request.signal.aborted || declined.isSilenced(request.origin))
      return Promise.resolve(undefined);
    const question = questionOf(request);
    const { promise, resolve } = Promise.withResolvers<Credentials | undefined>();
    question.waiting.add(resolve);
    const unlisten = onAbort(request.signal, () => {
      question.waiting.delete(resolve);
      resolve(undefined);
      if (question.waiting.size > 0) return;
      if (questions[0] === question) commands.send(challengeClose, { id: question.challenge.id });
      end(question, undefined);
    });
    return promise.finally(unlisten);
  };

  onDispose(services.get(challengesToken).handle(tab.id, ask));
  onDispose(() => {
    for (const question of [...questions]) end(question, undefined);
  });
  commands.handle(challengeDismiss, ({ id, credentials }) => {
    const [first] = questions;
    if (first?.challenge.id !== id) return; // already over
    if (credentials) declined.forget(first.challenge.origin);
    else declined.add(first.challenge.origin);
    end(first, credentials ?? undefined);
  });
  hooks.tap(tab.hooks.clientAttached, ({ fresh }) => {
    if (!fresh) return;
    declined.clear(); // the person has loaded the page again
    show();
  });
};
