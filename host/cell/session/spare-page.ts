import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { quietly } from '../page/target-defaults.ts';

/** Opens and closes blank pages. */
interface PageSource {
  /** @throws AppError `pool-depleted`, `cdp-closed`, or as CdpSession.send. */
  open(): Promise<CdpSession>;
  close(page: CdpSession): void;
}

/** A blank page for the next tab: opening one takes a tenth of a second of the browser's time. */
export class SparePage {
  readonly #source: PageSource;
  #page: Promise<CdpSession> | undefined;

  constructor(source: PageSource) {
    this.#source = source;
  }

  /** Opens one where there is none. */
  prepare(): void {
    if (this.#page) return;
    const spare = (this.#page = this.#source.open());
    const drop = (): boolean => {
      const isSpare = this.#page === spare;
      if (isSpare) this.#page = undefined;
      return isSpare;
    };
    spare.then((page) => {
      quietly(page.send('Inspector.enable'));
      page.on('Inspector.targetCrashed', () => {
        if (drop()) this.#source.close(page);
      });
    }, drop);
  }

  /** Closes the spare page. */
  drop(): void {
    const spare = this.#page;
    this.#page = undefined;
    spare?.then(
      (page) => this.#source.close(page),
      () => undefined,
    );
  }

  /** Returns a blank page: the spare one if there is one. @throws as {@link PageSource.open}. */
  async take(): Promise<CdpSession> {
    const spare = this.#page;
    this.#page = undefined;
    const page = await spare?.catch(() => undefined); // the cause affects the next one, too, or is over
    return page?.closed.aborted === false ? page : this.#source.open();
  }
}
