import { token } from '../../../host/plugin.ts';

/** A name and a password. Not kept, not logged, sent to the server that asks and to nobody else. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A request that a server answers with a demand for a password. All of it is known from the browser's process. */
export interface ChallengedRequest {
  /** Origin of the server: scheme, host in ASCII, port. */
  readonly origin: string;
  /** The server's own words: hostile text. */
  readonly realm: string;
  /** Whether credentials were given for it before, and refused. */
  readonly isAgain: boolean;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

type AskTab = (request: ChallengedRequest) => Promise<Credentials | undefined>;

/** Finds the tab of a challenge, by the id of its target in the surrogate. */
export class Challenges {
  readonly #tabs = new Set<{ readonly target: () => string | undefined; readonly ask: AskTab }>();

  /** Registers a tab. Returns a function that takes it out again. */
  handle(target: () => string | undefined, ask: AskTab): () => void {
    const tab = { target, ask };
    this.#tabs.add(tab);
    return () => this.#tabs.delete(tab);
  }

  /** The person's answer; undefined where they decline, or where the request belongs to no tab. */
  async ask(target: string | undefined, request: ChallengedRequest): Promise<Credentials | undefined> {
    const tab = target === undefined ? undefined : [...this.#tabs].find((each) => each.target() === target);
    return tab?.ask(request);
  }
}

export const challengesToken = token<Challenges>('http-auth.challenges');
