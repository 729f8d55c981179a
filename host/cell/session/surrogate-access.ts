import { AppError } from '../../../core/protocol/errors.ts';
import type { ExtensionHandler, SessionSurrogate } from '../../contracts/session-scope.ts';
import type { CdpSession } from '../../surrogate/cdp-session.ts';
import type { Surrogate } from '../../surrogate/launch.ts';
import type { StagingArea } from '../../contracts/surrogate-files.ts';
import type { Tab } from '../tab/tab.ts';
import { dragFiles } from './file-drag.ts';
import { openExtensionPage } from './extension-page.ts';
import { stagingArea } from './staging.ts';
import { SurrogateDownloads } from './surrogate-downloads.ts';
import type { DownloadSource } from './surrogate-downloads.ts';
import type { Targets } from './targets.ts';

/** The present parts of the browser of a session. */
interface SessionBrowserParts {
  /** Returns the browser, starting one if necessary. @throws AppError `pool-depleted` */
  surrogate(): Promise<Pick<Surrogate, 'connection' | 'extensionOrigin'>>;
  targets(): Targets | undefined;
  /** The pages of the tabs that have one, by the tabs' ids. */
  pages(): readonly (readonly [string, CdpSession])[];
  /** The browser's own CDP session. */
  root(): CdpSession | undefined;
  /** Folders of files; undefined without a browser, or where it has none. */
  exchange(): Surrogate['exchange'];
  tab(id: string): Tab | undefined;
  /** The tab and the frame of an id in CDP. */
  sourceOf(cdpFrameId: string): DownloadSource | undefined;
}

/** Access of session halves to a person's surrogate. */
export class SurrogateAccess {
  readonly #browser: SessionBrowserParts;
  readonly #renewed = new Set<() => void>();
  readonly #handlers = new Map<string, ExtensionHandler>();
  readonly #downloads: SurrogateDownloads;

  constructor(browser: SessionBrowserParts) {
    this.#browser = browser;
    this.#downloads = new SurrogateDownloads((frameId) => browser.sourceOf(frameId));
  }

  /** Returns the surrogate for one plugin. */
  of(plugin: string): SessionSurrogate {
    return {
      openExtensionPage: async (path, { permissions } = {}) => {
        const surrogate = await this.#browser.surrogate();
        return openExtensionPage(surrogate, this.#browser.targets(), path, permissions);
      },
      setPermission: async (origin, name, setting) => {
        await this.#browser.root()?.send('Browser.setPermission', { permission: { name }, origin, setting });
      },
      tabsInWindow: async (windowId) => {
        const at = async ([id, page]: readonly [string, CdpSession]): Promise<readonly string[]> =>
          (await this.#browser.targets()?.windowOf(page)) === windowId ? [id] : [];
        const found = await Promise.allSettled(this.#browser.pages().map(at)); // one may close meanwhile
        return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
      },
      onRenewed: (listener) => {
        this.#renewed.add(listener);
        return () => this.#renewed.delete(listener);
      },
      onDownload: (listener) => this.#downloads.listen(listener),
      stage: () => this.#stage(),
      mostStaged: () => this.#browser.exchange()?.bytes ?? Infinity,
      onExtensionCall: (handler) => {
        if (this.#handlers.has(plugin))
          throw new AppError('already-handled', `${plugin} already has a handler for extension calls`);
        this.#handlers.set(plugin, handler);
        return () => {
          if (this.#handlers.get(plugin) === handler) this.#handlers.delete(plugin);
        };
      },
    };
  }

  /** Handler of the calls of a plugin's extension half. */
  handlerOf(plugin: string): ExtensionHandler | undefined {
    return this.#handlers.get(plugin);
  }

  /** Called when the session has a new browser. */
  renew(): void {
    const root = this.#browser.root();
    if (root) this.#downloads.renew(root, this.#browser.exchange());
    for (const listener of [...this.#renewed]) listener();
  }

  async #stage(): Promise<StagingArea> {
    const exchange = this.#browser.exchange();
    if (!exchange) throw new AppError('no-exchange', 'The surrogate takes no files now.', { retryable: true });
    return stagingArea(exchange.up, {
      give: async ({ tab, frame, backendNodeId }, files) => {
        const session = this.#browser.tab(tab)?.frames.sessionOf(frame);
        if (!session) throw new AppError('frame-gone', `frame ${frame} is gone`, { retryable: true });
        await session.send('DOM.setFileInputFiles', { files, backendNodeId });
      },
      drag: (files, id, isTaken) => {
        const tab = this.#browser.tab(id);
        if (!tab) throw new AppError('tab-gone', `tab ${id} is gone`);
        return dragFiles(tab.input, files, isTaken);
      },
    });
  }
}
