import { bandwidthAction, siteCaps } from '../../../core/protocol/core-messages.ts';
import type { Message } from '../../../core/protocol/message.ts';
import type { BandwidthAction } from '../../policy/bandwidth.ts';

/** Callbacks of a {@link ClientState}. */
interface ClientStateOptions {
  /** Sends a message to the client, while the tab is open. */
  readonly tell: <P>(message: Message<P, undefined>, params: P) => void;
  /** Capabilities that the policy grants on the page shown. */
  readonly siteCapabilities: () => Readonly<Record<string, unknown>>;
  /** Called when updates are to be held back, and when they may be sent again. */
  readonly onLagging: (lagging: boolean) => void;
}

/** State of a tab's client: what it was last sent, and whether it takes updates. It lasts as long as the tab, over all its clients. */
export class ClientState {
  readonly #options: ClientStateOptions;
  readonly #heldBack = new Set<'channel' | 'client'>();
  #bandwidth: BandwidthAction = 'allow';
  #sentSite = '';

  constructor(options: ClientStateOptions) {
    this.#options = options;
  }

  /** Tells what becomes of the session's traffic, when that has changed. */
  setBandwidth(action: BandwidthAction): void {
    if (action === this.#bandwidth) return;
    this.#bandwidth = action;
    this.#options.tell(bandwidthAction, { action });
  }

  /** Tells the capabilities on the page shown. */
  tellSite(): void {
    const capabilities = this.#options.siteCapabilities();
    this.#sentSite = JSON.stringify(capabilities);
    this.#options.tell(siteCaps, capabilities);
  }

  /** Tells the capabilities on the page shown, if others were sent last. */
  updateSite(): void {
    if (JSON.stringify(this.#options.siteCapabilities()) !== this.#sentSite) this.tellSite();
  }

  /** Tells a client that knows nothing yet. */
  tellAll(): void {
    this.tellSite();
    if (this.#bandwidth !== 'allow') this.#options.tell(bandwidthAction, { action: this.#bandwidth });
  }

  /** Host halves hold updates back while the channel lags, or the client has said that it takes none (M-085). */
  holdBack(why: 'channel' | 'client', holds: boolean): void {
    const before = this.#heldBack.size > 0;
    if (holds) this.#heldBack.add(why);
    else this.#heldBack.delete(why);
    const lagging = this.#heldBack.size > 0;
    if (lagging !== before) this.#options.onLagging(lagging);
  }
}
