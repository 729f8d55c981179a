import type { Log } from '../../../core/contracts/scope.ts';
import type { Token } from '../../../core/contracts/token.ts';
import { OpcodeTable, grantOpcodes } from '../../../core/plugins/opcodes.ts';
import type { PluginGrant } from '../../../core/plugins/opcodes.ts';
import * as core from '../../../core/protocol/core-messages.ts';
import { Endpoint, nameTable } from '../../../core/protocol/endpoint.ts';
import type { Message } from '../../../core/protocol/message.ts';
import { byteBudget } from '../../../core/protocol/bodies/incoming.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import { pageHello, pageLog, pagePlugins, PAGE_MESSAGES } from '../../../core/protocol/page-messages.ts';
import type { PairRequest } from '../../../core/protocol/pairing.ts';
import { messagesOf } from '../../../core/contracts/manifest.ts';
import type { AttachedChannel } from '../../link.ts';
import type { ChannelTransport } from '../channel/channel-transport.ts';
import type { Gesture, PageBus, Tab as TabFacts } from '../../plugin.ts';
import { createTabHooks } from '../../hooks.ts';
import type { Settings } from '../../policy/settings.ts';
import type { BandwidthAction } from '../../policy/bandwidth.ts';
import type { TabHooks } from '../../hooks.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { TabCdp } from '../page/cdp-broker.ts';
import { channelBodies } from '../channel/bodies.ts';
import { Channel } from '../channel/channel.ts';
import { CrashCount } from './crash-count.ts';
import { OpenDialog } from './dialogs.ts';
import { Emulation } from './emulation.ts';
import { FaultLog } from '../../fault-log.ts';
import { FrameTree, MAIN_FRAME } from '../page/frames.ts';
import { PageInput } from '../input/page-input.ts';
import { PageLoad } from './page-load.ts';
import { PageMessages } from '../page/page-bus.ts';
import { PageSessions } from '../page/page-sessions.ts';
import { PageSilence } from './page-silence.ts';
import { PluginHost } from '../../plugins/plugin-host.ts';
import { tabServices } from './tab-services.ts';
import { withDependents } from '../../plugins/choice.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import { Responsiveness } from './responsiveness.ts';
import type { TabOptions } from './tab-options.ts';
import { quietly } from '../page/target-defaults.ts';

/**
 * One paired page: its sessions and frames in the surrogate, its channel to the client, its plugins between the two. It outlives
 * both: a client that reloads and a surrogate that crashes find it again. Whoever made it closes it.
 */
export class Tab {
  readonly id: string;
  readonly safeRid: string;
  readonly rid: string;
  readonly #grants: readonly PluginGrant[];
  readonly #withdrawn = new Set<string>();
  #bandwidth: BandwidthAction = 'allow';
  #toldSite = '';
  readonly sessions = new PageSessions();
  readonly frames: FrameTree;
  readonly emulation: Emulation;
  readonly cdp: TabCdp;
  readonly dialog: OpenDialog;
  readonly hooks: TabHooks;
  readonly load: PageLoad;
  readonly channel: Channel;
  readonly endpoint: Endpoint;
  readonly #bodies: ReturnType<typeof channelBodies>;
  /** Messages between the core and the kernels of the page halves. */
  readonly kernel: PageBus;
  readonly log: Log;
  /** When a client was last attached, in `performance.now()` milliseconds. */
  lastSeen = performance.now();
  readonly #options: TabOptions;
  readonly #table: OpcodeTable;
  readonly #page: PageMessages;
  readonly #plugins: PluginHost;
  readonly #input: PageInput;
  readonly #responsiveness: Responsiveness;
  readonly #silence: PageSilence;
  readonly #faults: FaultLog;
  readonly #crashes = new CrashCount();
  readonly #heldBack = new Set<'channel' | 'client'>();
  #closed = false;

  /** @throws AppError `version-mismatch`, `message-taken` when plugins contradict each other. */
  constructor(options: TabOptions) {
    this.#options = options;
    this.id = options.id;
    this.safeRid = options.safeRid;
    this.rid = options.rid;
    this.log = options.log;
    this.#faults = new FaultLog(options.log, options.onFault);
    this.hooks = createTabHooks((fault, hook, plugin) => this.#faults.report(fault, { from: 'plugin', hook, plugin }));
    this.#grants = grantOpcodes(
      options.plugins.map(({ plugin, variant }) => ({ manifest: plugin.manifest, variant })),
      options.flags,
    );
    const table = (this.#table = new OpcodeTable(core.CORE_MESSAGES));
    options.plugins.forEach(({ plugin }, index) => table.add(plugin.manifest, this.#grants[index] as PluginGrant)); // one each

    this.frames = new FrameTree(this.sessions);
    this.emulation = new Emulation(this.sessions, options.request, options.surrogate);
    this.cdp = new TabCdp(this.sessions, this.frames);
    this.dialog = new OpenDialog(this.sessions, (event) => this.cdp.hears(event));
    this.channel = new Channel({
      onPacket: (packet) => this.endpoint.receive(packet),
      onPiece: (piece) => this.#bodies.carrier.take(piece),
      onRoom: () => this.#bodies.carrier.resume(),
      onAttached: (fresh, isNew) => this.#attached(fresh, isNew),
      onDetached: () => (this.lastSeen = performance.now()),
      onLagging: (lagging) => this.#holdBack('channel', lagging),
      onFault: (fault) => this.#faults.report(fault, { from: 'client' }),
    });
    const budget = byteBudget(); // of the client and of the page halves together
    this.#bodies = channelBodies(this.channel, budget, (fault) => this.#faults.report(fault, { from: 'client' }));
    this.endpoint = new Endpoint({
      table,
      bodies: this.#bodies,
      transmit: (...sent) => this.#bodies.send(...sent),
      onUnhandled: (packet) =>
        this.#plugins.keep(table.ownerOf(packet[0]), packet, () => this.endpoint.receive(packet)),
      onFault: (fault, op) => this.#faults.report(fault, { from: 'client', op, plugin: table.ownerOf(op) }),
    });
    const pageMessages = options.plugins.flatMap(({ plugin }) => messagesOf(plugin.manifest));
    const ownerOf = (name: string): string | undefined =>
      PAGE_MESSAGES.some((message) => message.name === name) ? 'core' : table.ownerOf(name);
    this.#page = new PageMessages({
      sessions: this.sessions,
      frames: this.frames,
      table: nameTable([...PAGE_MESSAGES, ...pageMessages]),
      ownerOf,
      onUnhandled: (packet, again) => {
        const owner = ownerOf(String(packet[0]));
        return this.#withdrawn.has(owner ?? '') || this.#plugins.keep(owner, packet, again);
      },
      messagesPerSecond: options.messagesPerSecond,
      bodyBudget: budget,
      onFault: (fault, plugin, frame) => this.#faults.report(fault, { from: 'page', plugin, frame }),
    });
    this.kernel = this.#page.of('core');
    this.#responsiveness = new Responsiveness({
      sessions: this.sessions,
      frames: this.frames,
      hooks: this.hooks,
      dialog: this.dialog,
      onStuck: () => options.onStuck(this),
    });
    this.#silence = new PageSilence({
      frames: this.frames,
      kernel: this.kernel,
      dialog: this.dialog,
      onSilent: (silent) => this.#tell(core.pageSilent, { silent }),
      onFault: (fault) => this.#faults.report(fault, { from: 'page', frame: MAIN_FRAME }),
    });
    this.#input = new PageInput({
      frames: this.frames,
      kernel: this.kernel,
      isShown: () => this.emulation.visible,
      expect: (session) => this.#responsiveness.expect(session),
    });
    this.#plugins = new PluginHost({
      tab: this.#facts(),
      endpoint: this.endpoint,
      table,
      frames: this.frames,
      page: this.#page,
      cdp: this.cdp,
      input: this.#input,
      services: tabServices(options),
      serviceOf: options.serviceOf,
      log: options.log,
      onFault: (fault, plugin) => this.#faults.report(fault, { from: 'plugin', plugin }),
      onEnd: (plugin) => this.withdraw([plugin]),
    });
    this.load = new PageLoad({
      sessions: this.sessions,
      frames: this.frames,
      hooks: this.hooks,
      reasonFor: options.reasonFor,
      release: () => this.#responsiveness.release(),
      onState: (state, url) => this.#loadState(state, url),
    });
    this.#handle();
  }

  /** The person's last act in it. */
  get gesture(): Gesture {
    return this.#input.gesture;
  }

  /** Address of the main frame now; before anything is shown, the one that was asked for. */
  get url(): string {
    const url = this.frames.get(MAIN_FRAME)?.url ?? '';
    return url === '' || url === 'about:blank' || url.startsWith('chrome-error:') ? this.#options.request.url : url;
  }

  /** Request that the tab was paired with. */
  get request(): PairRequest {
    return this.#options.request;
  }

  /** Capabilities granted at pairing, without those withdrawn since. */
  get capabilities(): Readonly<Record<string, unknown>> {
    const off = this.#options.plugins.flatMap(({ plugin: { manifest } }) =>
      manifest.capability !== undefined && this.#withdrawn.has(manifest.id)
        ? [[manifest.capability, false] as const]
        : [],
    );
    return { ...this.#options.capabilities, ...Object.fromEntries(off) };
  }

  get grants(): readonly PluginGrant[] {
    return this.#grants.filter(({ id }) => !this.#withdrawn.has(id));
  }

  /** The plugins of the tab, withdrawn ones left out. */
  get plugins(): readonly RegisteredPlugin[] {
    return this.#options.plugins.flatMap(({ plugin }) => (this.#withdrawn.has(plugin.manifest.id) ? [] : [plugin]));
  }

  /** Takes plugins away in mid-session, on all sides, with those that require what they provide. They do not come back. */
  withdraw(ids: Iterable<string>): void {
    if (this.#closed) return;
    const gone = withDependents(this.plugins, ids);
    for (const id of gone) {
      this.#withdrawn.add(id);
      this.#plugins.dispose(new AppError('withdrawn', `${id} has been withdrawn`), id);
      this.#tell(core.pluginWithdrawn, { id });
      this.log.info('plugin withdrawn', { plugin: id });
    }
    if (gone.length > 0) for (const { id } of this.frames.all()) this.#tellPlugins(id);
  }

  /** A service that one of its host halves provides. */
  service<T>(token: Token<T>): T | undefined {
    return this.#plugins.service(token);
  }

  /** The policy's settings for the person on the page shown. */
  policy(): Settings {
    return this.#options.policy.decide(this.url).settings;
  }

  siteCapabilities(): Readonly<Record<string, unknown>> {
    return this.#options.policy.siteCapabilities(this.url);
  }

  /** Tells host halves of a changed policy, and the client what it says of the page now, if it has been told otherwise. */
  policyChanged(): void {
    if (JSON.stringify(this.siteCapabilities()) !== this.#toldSite) this.#tellSite();
    this.hooks.policyChanged.call({ policy: this.#options.policy.decide(this.url).settings });
  }

  /** Tells the client what becomes of the session's traffic, when that has changed. */
  setBandwidth(action: BandwidthAction): void {
    if (action === this.#bandwidth) return;
    this.#bandwidth = action;
    this.#tell(core.bandwidthAction, { action });
  }

  /** Activates the host halves. */
  async activate(): Promise<void> {
    const granted = this.#options.plugins.map(({ plugin }, index) => ({
      plugin,
      grant: this.#grants[index] as PluginGrant,
    })); // one each
    this.cdp.enableAlways('Network');
    await this.#plugins.activate(granted);
  }

  /** Takes up a page target, in place of a lost one, and opens an address in it once `prepare` is done. */
  open(page: CdpSession, url: string, prepare: () => Promise<void> = () => Promise.resolve()): void {
    quietly(this.#open(page, url, prepare));
  }

  async #open(page: CdpSession, url: string, prepare: () => Promise<void>): Promise<void> {
    const running = this.sessions.openPage(page);
    quietly(page.send('Inspector.enable'));
    await running;
    await prepare();
    if (url !== 'about:blank' && this.sessions.page === page) this.load.navigate(url, this.#options.request.referrer);
  }

  attach(chid: string, received: number, transport: ChannelTransport): AttachedChannel {
    return this.channel.attach(chid, received, transport);
  }

  /** Counts a crash of its page; false when it should not be tried again. */
  crashed(): boolean {
    return this.#crashes.mayRestore();
  }

  /** Tells the client that its surrogate was lost; one that is restored goes on in the page that it is given next. */
  lost(reason: string, restored: boolean): void {
    this.#page.sweep();
    this.#silence.end();
    if (restored) this.hooks.replaced.call({ reason });
    this.#tell(core.surrogateLost, { reason, restored });
  }

  /** Ends the tab for everybody; the target itself is closed by whoever opened it. Idempotent. */
  close(reason: string, reconnect = false): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#silence.close();
    const ended = new AppError('tab-closed', reason);
    this.endpoint.send(core.disconnect, { reason, reconnect });
    this.#plugins.dispose(ended);
    this.#page.close(ended);
    this.endpoint.close(ended);
    this.channel.close(reason);
  }

  /** Host halves hold updates back while the channel lags, or the client has said that it takes none (M-085). */
  #holdBack(why: 'channel' | 'client', holds: boolean): void {
    const before = this.#heldBack.size > 0;
    if (holds) this.#heldBack.add(why);
    else this.#heldBack.delete(why);
    const lagging = this.#heldBack.size > 0;
    if (lagging !== before) this.hooks.lagging.call({ lagging });
  }

  #attached(fresh: boolean, isNew: boolean): void {
    this.lastSeen = performance.now();
    this.#holdBack('client', false);
    if (fresh) {
      this.#bodies.carrier.restart(new AppError('bodies-lost', 'the client has lost what was on its way'), isNew);
      // One that has not been reloaded has them still, and what it was told is forgotten: a plugin that floods takes its own end with it.
      for (const id of this.#withdrawn) this.#tell(core.pluginWithdrawn, { id });
      this.#tell(core.loadState, { state: this.load.state, url: this.url });
      if (this.#silence.isSilent) this.#tell(core.pageSilent, { silent: true });
      this.#tellSite();
      if (this.#bandwidth !== 'allow') this.#tell(core.bandwidthAction, { action: this.#bandwidth });
    }
    this.hooks.clientAttached.call({ fresh });
  }

  #loadState(state: 'loading' | 'ready', url: string): void {
    if (this.#closed) return;
    if (state === 'loading') {
      this.#tell(core.loadState, { state, url });
      return;
    }
    this.#tellSite();
    // On the lane of what the page shows: it must not come before that.
    this.channel.send('view', [this.#table.opOf(core.loadState), { state, url }]);
  }

  /** The page goes on for a moment after the tab has ended: nobody is told of that. */
  #tell<P>(message: Message<P, undefined>, params: P): void {
    if (!this.#closed) this.endpoint.send(message, params);
  }

  #tellSite(): void {
    const capabilities = this.siteCapabilities();
    this.#toldSite = JSON.stringify(capabilities);
    this.#tell(core.siteCaps, capabilities);
  }

  #handle(): void {
    const { endpoint } = this;
    endpoint.handle(core.renderParams, (params) => this.emulation.update(params));
    endpoint.handle(core.hideTab, () => this.#show(false));
    endpoint.handle(core.showTab, () => this.#show(true));
    endpoint.handle(core.acquireFocus, () => this.#show(true));
    endpoint.handle(core.clientDetach, () => {
      this.lastSeen = performance.now();
      this.#holdBack('client', true);
    });
    endpoint.handle(core.resumeClientUpdate, () => this.#holdBack('client', false));
    endpoint.handle(core.getPersistentPolicy, () => {
      endpoint.send(core.persistentPolicy, { policy: this.siteCapabilities()['persistent_policy'] ?? null });
    });
    this.kernel.handle(pageHello, ({ url }, frame) => {
      this.#tellPlugins(frame.id);
      this.frames.hello(frame.id, url);
    });
    this.kernel.handle(pageLog, ({ level, message, plugin }, frame) => {
      this.#faults.line(level, message, { plugin, frame: frame.id, from: 'page' });
    });
    this.#input.handle(endpoint);
    this.sessions.listen({ added: ({ kind }) => kind === 'page' && this.#input.reset() });
  }

  /** Surrogates run the page halves of all plugins, whoever has them. */
  #tellPlugins(frame: number): void {
    this.kernel.send(frame, pagePlugins, { ids: this.grants.map(({ id }) => id) });
  }

  #show(isShown: boolean): void {
    if (isShown === this.emulation.visible) return;
    this.emulation.setVisible(isShown);
    this.#options.onShown(this, isShown);
  }

  #facts(): TabFacts {
    const { id, cid, subject, capabilities, resource, shows } = this.#options;
    return {
      id,
      cid,
      person: subject,
      capabilities,
      policy: () => this.policy(),
      hooks: this.hooks,
      url: () => this.url,
      destination: () => this.load.destination,
      release: (to) => this.load.release(to),
      resource: (kind, address, frame) => resource(this, kind, address, frame),
      shows,
    };
  }
}
