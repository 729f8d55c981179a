import type { Log } from '../../../core/contracts/scope.ts';
import type { Token } from '../../../core/contracts/token.ts';
import type { PluginGrant } from '../../../core/plugins/opcodes.ts';
import * as core from '../../../core/protocol/core-messages.ts';
import { Endpoint } from '../../../core/protocol/endpoint.ts';
import type { Message } from '../../../core/protocol/message.ts';
import { byteBudget } from '../../../core/protocol/bodies/incoming.ts';
import { AppError } from '../../../core/protocol/errors.ts';
import { pageHello, pageLog, pagePlugins } from '../../../core/protocol/page-messages.ts';
import type { PairRequest } from '../../../core/protocol/pairing.ts';
import type { ChannelEnd, ChannelTransport } from '../channel/channel-transport.ts';
import type { Tab as TabFacts } from '../../contracts/host-scope.ts';
import { CLIENT_LEFT } from '../../contracts/link.ts';
import type { Gesture } from '../../contracts/tab-input.ts';
import type { PageInput } from '../input/page-input.ts';
import { createTabHooks } from '../../contracts/tab-hooks.ts';
import type { Settings } from '../../policy/settings.ts';
import type { BandwidthAction } from '../../policy/bandwidth.ts';
import type { TabHooks } from '../../contracts/tab-hooks.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import { channelBodies } from '../channel/bodies.ts';
import { Channel } from '../channel/channel.ts';
import type { PageMeter } from '../budget/page-meter.ts';
import { ClientState } from './client-state.ts';
import { CrashCount } from './crash-count.ts';
import type { Emulation } from './emulation.ts';
import { FaultLog } from '../../base/fault-log.ts';
import type { FrameTree } from '../page/frames.ts';
import type { PageLoad } from './page-load.ts';
import type { PageSessions } from '../page/page-sessions.ts';
import type { KeepAwake } from '../page/keep-awake.ts';
import { PluginHost } from './plugin-host.ts';
import { TabGrants } from './tab-grants.ts';
import { TabPage } from './tab-page.ts';
import { TabPresence } from './tab-presence.ts';
import { tabServices } from './tab-services.ts';
import type { RegisteredPlugin } from '../../plugins/registry.ts';
import type { TabOptions } from './tab-options.ts';
import { quietly } from '../page/target-defaults.ts';

/**
 * One paired page: its sessions and frames in the surrogate, its channel to the client, its plugins between the two. It outlives
 * both: a client that reloads and a surrogate that crashes find it again. Whoever made it closes it.
 */
export class Tab {
  readonly hooks: TabHooks;
  readonly channel: Channel;
  readonly endpoint: Endpoint;
  readonly #bodies: ReturnType<typeof channelBodies>;
  /** Whether a person is at it. */
  readonly presence = new TabPresence();
  readonly #options: TabOptions;
  readonly #grants: TabGrants;
  readonly #page: TabPage;
  readonly #client: ClientState;
  readonly #plugins: PluginHost;
  readonly #faults: FaultLog;
  readonly #crashes = new CrashCount();
  #closed = false;

  /** @throws AppError `version-mismatch`, `message-taken` when plugins contradict each other. */
  constructor(options: TabOptions) {
    this.#options = options;
    this.#faults = new FaultLog(options.log, options.onFault);
    this.hooks = createTabHooks((fault, hook, plugin) => this.#faults.report(fault, { from: 'plugin', hook, plugin }));
    const grants = (this.#grants = new TabGrants(options));
    const { table } = grants;
    this.#client = new ClientState({
      tell: (message, params) => this.#tell(message, params),
      siteCapabilities: () => this.siteCapabilities(),
      onLagging: (lagging) => this.hooks.lagging.call({ lagging }),
    });
    this.channel = new Channel({
      onPacket: (packet) => this.endpoint.receive(packet),
      onPiece: (piece) => this.#bodies.carrier.take(piece),
      onRoom: () => this.#bodies.carrier.resume(),
      onAttached: (fresh, isNew) => this.#attached(fresh, isNew),
      onDetached: (reason) => this.#detached(reason === CLIENT_LEFT),
      onLagging: (lagging) => this.#client.holdBack('channel', lagging),
      onFault: (fault) => this.#faults.report(fault, { from: 'client' }),
    });
    const bodyBudget = byteBudget(); // of the client and of the page halves together
    this.#bodies = channelBodies(this.channel, bodyBudget, (fault) => this.#faults.report(fault, { from: 'client' }));
    this.endpoint = new Endpoint({
      table,
      bodies: this.#bodies,
      transmit: (...sent) => this.#bodies.send(...sent),
      onUnhandled: (packet) =>
        this.#plugins.keep(table.ownerOf(packet[0]), packet, () => this.endpoint.receive(packet)),
      onFault: (fault, op) => this.#faults.report(fault, { from: 'client', op, plugin: table.ownerOf(op) }),
    });
    this.#page = new TabPage({
      ...options,
      hooks: this.hooks,
      table: grants.pageTable(),
      ownerOf: (name) => grants.pageOwnerOf(name),
      onUnhandled: (packet, again) => {
        const owner = grants.pageOwnerOf(String(packet[0]));
        return grants.withdrawn.has(owner ?? '') || this.#plugins.keep(owner, packet, again);
      },
      bodyBudget,
      onStuck: () => options.onStuck(this),
      onSilent: (silent) => this.#tell(core.pageSilent, { silent }),
      onState: (state, url) => this.#loadState(state, url),
      onAddress: () => {
        this.#client.updateSite();
        this.hooks.addressChanged.call({ url: this.url });
      },
      onFault: (fault, plugin, frame) => this.#faults.report(fault, { from: 'page', plugin, frame }),
    });
    this.#plugins = new PluginHost({
      tab: this.#facts(),
      endpoint: this.endpoint,
      table,
      frames: this.frames,
      page: this.#page.messages,
      cdp: this.#page.cdp,
      input: this.#page.input,
      services: tabServices(options, this.#page.meter, { close: (token) => options.closeWindow(this, token) }),
      accessOf: options.accessOf,
      log: options.log,
      onFault: (fault, plugin) => this.#faults.report(fault, { from: 'plugin', plugin }),
      onEnd: (plugin) => this.withdraw([plugin]),
    });
    this.#handle();
  }

  get id(): string {
    return this.#options.id;
  }

  get safeRid(): string {
    return this.#options.safeRid;
  }

  get rid(): string {
    return this.#options.rid;
  }

  get log(): Log {
    return this.#options.log;
  }

  get sessions(): PageSessions {
    return this.#page.sessions;
  }

  get frames(): FrameTree {
    return this.#page.frames;
  }

  get emulation(): Emulation {
    return this.#page.emulation;
  }

  get meter(): PageMeter {
    return this.#page.meter;
  }

  get awake(): KeepAwake {
    return this.#page.awake;
  }

  get load(): PageLoad {
    return this.#page.load;
  }

  /** The person's input, for acts of the host itself. */
  get input(): PageInput {
    return this.#page.input;
  }

  /** The person's last act in it. */
  get gesture(): Gesture {
    return this.#page.input.gesture;
  }

  /** Address of the main frame now; before anything is shown, the one that was asked for. */
  get url(): string {
    return this.#page.url;
  }

  /** Request that the tab was paired with. */
  get request(): PairRequest {
    return this.#options.request;
  }

  /** Capabilities granted at pairing, without those withdrawn since. */
  get capabilities(): Readonly<Record<string, unknown>> {
    return this.#grants.capabilities;
  }

  get grants(): readonly PluginGrant[] {
    return this.#grants.left;
  }

  /** The plugins of the tab, withdrawn ones left out. */
  get plugins(): readonly RegisteredPlugin[] {
    return this.#grants.plugins;
  }

  /** Takes plugins away in mid-session, on all sides, with those that require what they provide. They do not come back. */
  withdraw(ids: Iterable<string>): void {
    if (this.#closed) return;
    const gone = this.#grants.withDependents(ids);
    for (const id of gone) {
      this.#grants.withdraw(id);
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

  /** The policy's settings for the person on the page shown, or at other addresses, of which all hold. */
  policy(address: string | readonly string[] = this.url): Settings {
    return this.#options.policy.decide(address.length > 0 ? address : this.url).settings;
  }

  siteCapabilities(): Readonly<Record<string, unknown>> {
    return this.#options.policy.siteCapabilities(this.url);
  }

  /** Notifies host halves of a changed policy, and sends the client the values for the page if they differ from the last ones. */
  policyChanged(): void {
    this.#client.updateSite();
    this.hooks.policyChanged.call({ policy: this.#options.policy.decide(this.url).settings });
  }

  /** Tells the client what becomes of the session's traffic, when that has changed. */
  setBandwidth(action: BandwidthAction): void {
    this.#client.setBandwidth(action);
  }

  /** Activates the host halves. */
  async activate(): Promise<void> {
    this.#page.cdp.enableAlways('Network');
    await this.#plugins.activate(this.#grants.granted());
  }

  /** See `TabPage.open`. */
  open(page: CdpSession, url: string | undefined, prepare: () => Promise<void> = () => Promise.resolve()): void {
    quietly(this.#page.open(page, url, prepare));
  }

  /** Shows its page to the person, or hides it. */
  show(isShown: boolean): void {
    if (isShown === this.emulation.visible) return;
    this.emulation.setVisible(isShown);
    this.#options.onShown(this, isShown);
  }

  attach(chid: string, received: number, transport: ChannelTransport): ChannelEnd {
    return this.channel.attach(chid, received, transport);
  }

  /** Counts a crash of its page; false when it should not be tried again. */
  crashed(): boolean {
    return this.#crashes.mayRestore();
  }

  /** Tells the client that its surrogate was lost; one that is restored goes on in the page that it is given next. */
  lost(reason: string, restored: boolean): void {
    this.#page.lost();
    if (restored) this.hooks.replaced.call({ reason });
    this.#tell(core.surrogateLost, { reason, restored });
  }

  /** Its page has been ended, and another takes its place. */
  replaced(reason: string): void {
    this.#page.lost();
    this.hooks.replaced.call({ reason });
  }

  /** Ends the tab for everybody; the target itself is closed by whoever opened it. Idempotent. */
  close(reason: string, reconnect = false): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#page.silence.close();
    const ended = new AppError('tab-closed', reason);
    this.endpoint.send(core.disconnect, { reason, reconnect });
    this.#plugins.dispose(ended);
    this.#page.messages.close(ended);
    this.endpoint.close(ended);
    this.channel.close(reason);
  }

  #detached(hasLeft: boolean): void {
    this.presence.detached(hasLeft);
    // One that comes back sends what has come up meanwhile.
    if (hasLeft) this.hooks.inputLost.call({ reason: 'gone' });
  }

  #attached(fresh: boolean, isNew: boolean): void {
    this.presence.attached();
    if (isNew) this.hooks.inputLost.call({ reason: 'gone' });
    this.#client.holdBack('client', false);
    if (fresh) {
      this.#bodies.carrier.restart(new AppError('bodies-lost', 'the client has lost what was on its way'), isNew);
      // One that has not been reloaded still has them, and what was sent to it is forgotten: a plugin that floods takes its own end with it.
      for (const id of this.#grants.withdrawn) this.#tell(core.pluginWithdrawn, { id });
      this.#tell(core.loadState, { state: this.load.state, url: this.url });
      if (this.#page.silence.isSilent) this.#tell(core.pageSilent, { silent: true });
      this.#client.tellAll();
    }
    this.hooks.clientAttached.call({ fresh });
  }

  #loadState(state: 'loading' | 'ready', url: string): void {
    if (this.#closed) return;
    if (state === 'loading') {
      this.#tell(core.loadState, { state, url });
      return;
    }
    this.#client.tellSite();
    // On the lane of what the page shows: it must not come before that.
    this.channel.send('view', [this.#grants.table.opOf(core.loadState), { state, url }]);
  }

  /** The page goes on for a moment after the tab has ended: nobody is notified of that. */
  #tell<P>(message: Message<P, undefined>, params: P): void {
    if (!this.#closed) this.endpoint.send(message, params);
  }

  #handle(): void {
    const { endpoint } = this;
    const { kernel, input } = this.#page;
    endpoint.handle(core.renderParams, (params) => this.emulation.update(params));
    endpoint.handle(core.hideTab, () => {
      this.hooks.inputLost.call({ reason: 'away' });
      this.show(false);
    });
    endpoint.handle(core.showTab, () => this.show(true));
    endpoint.handle(core.acquireFocus, () => this.show(true));
    endpoint.handle(core.inputAway, () => this.hooks.inputLost.call({ reason: 'away' }));
    endpoint.handle(core.clientDetach, () => {
      this.presence.goodbye();
      this.#client.holdBack('client', true);
    });
    endpoint.handle(core.resumeClientUpdate, () => {
      this.presence.resumed();
      this.#client.holdBack('client', false);
    });
    endpoint.handle(core.getPersistentPolicy, () => {
      endpoint.send(core.persistentPolicy, { policy: this.siteCapabilities()['persistent_policy'] ?? null });
    });
    kernel.handle(pageHello, ({ url }, frame) => {
      this.#tellPlugins(frame.id);
      this.frames.hello(frame.id, url);
    });
    kernel.handle(pageLog, ({ level, message, plugin, details }, frame) => {
      this.#faults.line(level, message, { plugin, frame: frame.id, from: 'page', ...(details && { details }) });
    });
    input.handle(endpoint);
  }

  /** Surrogates run the page halves of all plugins, whoever has them. */
  #tellPlugins(frame: number): void {
    this.#page.kernel.send(frame, pagePlugins, { ids: this.grants.map(({ id }) => id) });
  }

  #facts(): TabFacts {
    const { id, cid, subject, capabilities, resource, shows } = this.#options;
    return {
      id,
      cid,
      person: subject,
      capabilities,
      policy: (address) => this.policy(address),
      hooks: this.hooks,
      url: () => this.url,
      destination: () => this.load.destination,
      release: (to) => this.load.release(to),
      resource: (kind, address, frame) => resource(this, kind, address, frame),
      shows,
    };
  }
}
