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

/** Asks in the tab of a challenge. */
export class Challenges {
  readonly #tabs = new Map<string, AskTab>();

  /** Registers a tab. Returns a function that takes it out again. */
  handle(tab: string, ask: AskTab): () => void {
    this.#tabs.set(tab, ask);
    return () => this.#tabs.delete(tab);
  }

  /** The person's answer; undefined where they decline, or where the request belongs to no tab. */
  async ask(tab: string, request: ChallengedRequest): Promise<Credentials | undefined> {
    return this.#tabs.get(tab)?.(request);
  }
}

export const challengesToken = token<Challenges>('http-auth.challenges');
