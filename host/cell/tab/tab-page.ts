import type { ByteBudget } from '../../../core/protocol/bodies/incoming.ts';
import type { OpTable, Packet } from '../../../core/protocol/endpoint.ts';
import type { AppError } from '../../../core/protocol/errors.ts';
import type { TabHooks } from '../../contracts/tab-hooks.ts';
import type { PageBus } from '../../contracts/host-scope.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { PageMeter } from '../budget/page-meter.ts';
import { PageInput } from '../input/page-input.ts';
import { TabCdp } from '../page/cdp-broker.ts';
import { AwaitedDocuments } from '../page/awaited-documents.ts';
import { CommittedAddress } from '../page/committed-address.ts';
import { FrameTree, MAIN_FRAME } from '../page/frames.ts';
import { HeldCalls } from '../page/held-calls.ts';
import { PageMessages } from '../page/page-bus.ts';
import { PageSessions } from '../page/page-sessions.ts';
import { KeepAwake } from '../page/keep-awake.ts';
import { Transfers } from '../page/transfers.ts';
import { quietly } from '../page/target-defaults.ts';
import { OpenDialog } from './dialogs.ts';
import { Emulation } from './emulation.ts';
import { initiatorOf } from './initiator.ts';
import { PageLoad } from './page-load.ts';
import { PageSilence } from './page-silence.ts';
import { Responsiveness } from './responsiveness.ts';
import type { TabOptions } from './tab-options.ts';

/** Options and callbacks of a {@link TabPage}. */
interface TabPageOptions extends Pick<
  TabOptions,
  'request' | 'surrogate' | 'reasonFor' | 'messagesPerSecond' | 'budgets'
> {
  readonly hooks: TabHooks;
  /** Messages between host and page halves, by name. */
  readonly table: OpTable;
  readonly ownerOf: (name: string) => string | undefined;
  /** Asked of a message that nobody handles: true when it is kept, to be received `again`, or nothing is to be said of it. */
  readonly onUnhandled: (packet: Packet, again: () => void) => boolean;
  /** Bytes of bodies that page halves may have on their way. */
  readonly bodyBudget: ByteBudget;
  /** Nothing reaches the page any more. */
  readonly onStuck: () => void;
  readonly onSilent: (silent: boolean) => void;
  readonly onState: (state: 'loading' | 'ready', url: string) => void;
  /** The page's address, by which policy goes, is another. */
  readonly onAddress: () => void;
  readonly onFault: (fault: AppError, plugin: string | undefined, frame: number | undefined) => void;
}

/**
 * The page's side of a tab: its sessions and frames in the surrogate, the messages of its page halves, its input, its loads and its health.
 * It lasts as long as the tab, over all the pages that the tab is given.
 */
export class TabPage {
  readonly sessions = new PageSessions();
  readonly frames = new FrameTree(this.sessions);
  readonly meter: PageMeter;
  readonly awake = new KeepAwake({
    sessions: this.sessions,
    frames: this.frames,
    transfers: new Transfers(this.sessions),
  });
  readonly emulation: Emulation;
  readonly cdp: TabCdp;
  readonly messages: PageMessages;
  /** Messages between the core and the kernels of the page halves. */
  readonly kernel: PageBus;
  readonly input: PageInput;
  readonly load: PageLoad;
  readonly silence: PageSilence;
  readonly #request: TabOptions['request'];
  readonly #committed: CommittedAddress;
  /** Whether it has had a page: another one takes its place. */
  #isOpened = false;

  constructor(options: TabPageOptions) {
    const { request, hooks, onFault } = options;
    const { sessions, frames } = this;
    this.#request = request;
    this.meter = new PageMeter(sessions, options.budgets);
    this.#committed = new CommittedAddress(sessions, options.onAddress);
    this.emulation = new Emulation(sessions, request, options.surrogate);
    const cdp = (this.cdp = new TabCdp(sessions, frames));
    const dialog = new OpenDialog(sessions, (event) => cdp.hears(event));
    const awaited = new AwaitedDocuments(sessions);
    this.messages = new PageMessages({
      sessions,
      frames,
      heldCalls: new HeldCalls(awaited),
      table: options.table,
      ownerOf: options.ownerOf,
      onUnhandled: options.onUnhandled,
      messagesPerSecond: options.messagesPerSecond,
      bodyBudget: options.bodyBudget,
      onFault,
    });
    // Its edits are still wanted where the page stays.
    const kernel = (this.kernel = this.messages.of('core', true));
    const responsiveness = new Responsiveness({
      sessions,
      frames,
      hooks,
      awaited,
      dialog,
      settleInput: (patienceMs) => this.input.settle(patienceMs),
      onStuck: options.onStuck,
    });
    this.silence = new PageSilence({
      frames,
      kernel,
      dialog,
      onSilent: options.onSilent,
      onFault: (fault) => onFault(fault, undefined, MAIN_FRAME),
    });
    this.input = new PageInput({
      frames,
      kernel,
      impatient: this.messages.of('core'),
      isShown: () => this.emulation.visible,
      waitOf: (session) => awaited.of(session),
      expect: (session) => responsiveness.expect(session),
    });
    this.load = new PageLoad({
      asked: request.url,
      sessions,
      frames,
      hooks,
      reasonFor: options.reasonFor,
      release: (forAnother) => responsiveness.release(forAnother),
      onState: options.onState,
    });
    frames.onForeign((fault) => onFault(fault, undefined, undefined));
    sessions.listen({ added: ({ kind }) => kind === 'page' && this.input.reset() });
  }

  /** Address of the main frame now, as the browser's process knows it; before anything is shown, the one that was asked for last. */
  get url(): string {
    const { url, isBegun } = this.#committed;
    return isBegun && !url.startsWith('chrome-error:') ? url : this.load.asked;
  }

  /** Takes up a page target, in place of a lost one, and opens an address in it once `prepare` is done; without one it goes its own way, or stays blank. */
  async open(page: CdpSession, url: string | undefined, prepare: () => Promise<void>): Promise<void> {
    if (url !== undefined) this.load.expect(url);
    const initiator = this.#isOpened && url !== undefined ? this.load.initiatorAgain(url) : initiatorOf(this.#request);
    this.#isOpened = true;
    const running = this.sessions.openPage(page);
    quietly(page.send('Inspector.enable'));
    await running;
    await prepare();
    if (url !== undefined && this.sessions.page === page) this.load.navigate(url, initiator);
  }

  /** The page is gone: nothing of its documents is waited for. */
  lost(): void {
    this.messages.sweep();
    this.silence.end();
  }
}
