import type { ClientHooks } from '../../contracts/client-hooks.ts';
import type { NotifyHook } from '../../hooks/hook.ts';
import type { ShellView } from '../../overlay/shell-view.ts';
import type { PluginLoader } from '../../loader/loader.ts';

/** Time in ms after which a page that is shown but still loading counts as ready. */
const READY_AFTER_MS = 5000;

/** Dependencies of a page state. */
interface PageStateOptions {
  readonly window: Window & typeof globalThis;
  readonly url: string;
  readonly siteCapabilities: Readonly<Record<string, unknown>>;
  readonly hooks: ClientHooks;
  readonly shell: ShellView;
  readonly onShown: () => void;
  readonly loader: () => Pick<PluginLoader<unknown>, 'neededFor' | 'activateAll'>;
}

/** The current page of the tab and its lifecycle: first shown, loading, loaded. */
export class PageState {
  readonly #options: PageStateOptions;
  #url: string;
  #isShown = false;
  #isBooted = false;
  /** The host reported the page as loaded. */
  #isLoaded = false;
  /** Policy for the current page (M-004). */
  siteCapabilities: Readonly<Record<string, unknown>>;

  constructor(options: PageStateOptions) {
    this.#options = options;
    this.#url = options.url;
    this.siteCapabilities = options.siteCapabilities;
  }

  get url(): string {
    return this.#url;
  }

  /** Whether any content has been shown. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /** The host reports the page's load state. */
  load(state: 'loading' | 'ready', url: string): void {
    if (url !== '') this.#url = url;
    this.#isLoaded = state === 'ready';
    this.#options.shell.state = this.#isBooted ? state : 'loading';
    if (state === 'ready') this.show();
    else void this.notify(this.#options.hooks.pageChanged, { url: this.#url });
  }

  /** The boot plugins are active, or are no longer waited for: a page that has loaded is ready. */
  booted(): void {
    this.#isBooted = true;
    const { shell } = this.#options;
    if (this.#isLoaded && shell.state === 'loading') shell.state = 'ready';
  }

  /** Content is visible: plugins that wait for it are activated. */
  show(): void {
    if (this.#isShown) return;
    this.#isShown = true;
    const { window, shell, hooks, loader } = this.#options;
    const url = this.#url;
    window.document.documentElement.dataset['vitrineShown'] = '';
    setTimeout(() => {
      if (shell.state === 'loading' && url === this.#url) shell.state = 'ready'; // another one has its own time
    }, READY_AFTER_MS);
    this.#options.onShown();
    void this.notify(hooks.ready, { url });
    const later = (window as Partial<Window>).requestIdleCallback ?? setTimeout; // WebKit has none
    later(() => void loader().activateAll('idle'));
  }

  /**
   * Calls a hook, after activating the first-use plugins that tap it: those that take longer than `ms`, where it is given, are not waited for.
   * Resolves once it has been called.
   */
  async notify<A>(hook: NotifyHook<A>, argument: A, ms?: number): Promise<void> {
    const needed = this.#options.loader().neededFor(hook.name);
    if (needed) await (ms === undefined ? needed : Promise.race([needed, new Promise((done) => setTimeout(done, ms))]));
    hook.call(argument);
  }
}
