import type { CDPSession, Frame, Page } from 'playwright';

/** The fields of a node of `Accessibility.getFullAXTree` that are used. */
interface AxNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: AxValue;
  readonly name?: AxValue;
  readonly description?: AxValue;
  readonly value?: AxValue;
  readonly properties?: readonly { readonly name: string; readonly value: AxValue }[];
  readonly childIds?: readonly string[];
  readonly parentId?: string;
  readonly backendDOMNodeId?: number;
}

interface AxValue {
  readonly value?: unknown;
  readonly relatedNodes?: readonly { readonly backendDOMNodeId?: number }[];
}

/** A frame's accessibility tree, and the session to read it from. */
interface Source {
  readonly session: CDPSession;
  readonly frameId: string;
}

/** Roles that layout makes of a text: the same lines are compared as pictures. */
const LAYOUT_ROLES: ReadonlySet<unknown> = new Set(['InlineTextBox', 'LineBreak']);
/** Roles that have the focus when something in them has. */
const CONTAINERS: ReadonlySet<unknown> = new Set(['RootWebArea', 'Iframe']);
/**
 * Properties that are not compared: targets of links are rewritten by design; the others describe the node's DOM, not
 * what assistive technology announces.
 */
const OTHER_PROPERTIES: ReadonlySet<string> = new Set(['url', 'focused']);
/** How the view says of a text field that it stands for one of passwords: this tree does not say that of a password field itself. */
const SECRET = 'password';

/** Reads accessibility trees of one page, across the processes of its frames. */
export class AccessibilityReader {
  readonly #page: Page;
  readonly #main: CDPSession;
  /** Sessions of frames with a process of their own, by frame id. */
  readonly #apart = new Map<string, CDPSession>();

  private constructor(page: Page, main: CDPSession) {
    this.#page = page;
    this.#main = main;
  }

  /** Creates a reader that lives as long as the page. */
  static async on(page: Page): Promise<AccessibilityReader> {
    const main = await page.context().newCDPSession(page);
    await main.send('Accessibility.enable');
    return new AccessibilityReader(page, main);
  }

  /**
   * The accessibility tree, a line a node, indented by depth, nested frames below their elements. `view` reads the page
   * that the product shows instead of the shell around it.
   */
  async lines(view: boolean): Promise<string[]> {
    await this.#findProcesses();
    const lines: string[] = [];
    await this.#frame(await this.#root(view), 0, lines);
    return lines;
  }

  /** The line of the focused node, through frames and shadow roots; empty for none. */
  async focused(view: boolean): Promise<string> {
    await this.#findProcesses();
    return this.#focusedIn(await this.#root(view));
  }

  async #focusedIn(source: Source): Promise<string> {
    const nodes = await this.#nodes(source);
    for (const node of nodes) {
      if (node.ignored || node.role?.value !== 'Iframe') continue;
      const nested = await this.#nested(source, node);
      const line = nested && (await this.#focusedIn(nested));
      if (line) return line;
    }
    const focused = nodes.find((node) => isFocused(node) && !CONTAINERS.has(node.role?.value));
    return focused ? `${text(focused.role)} ${quoted(text(focused.name))}` : '';
  }

  async #findProcesses(): Promise<void> {
    for (const frame of this.#page.frames()) {
      if (frame === this.#page.mainFrame()) continue;
      const session = await apart(this.#page, frame);
      if (!session) continue;
      const { frameTree } = await session.send('Page.getFrameTree');
      await session.send('Accessibility.enable');
      this.#apart.set(frameTree.frame.id, session);
    }
  }

  async #root(view: boolean): Promise<Source> {
    const { frameTree } = await this.#main.send('Page.getFrameTree');
    if (!view) return { session: this.#main, frameId: frameTree.frame.id };
    const { result } = await this.#main.send('Runtime.evaluate', {
      expression: 'document.querySelector(\'iframe[data-vitrine-frame="main"]\')',
    });
    const { node } = await this.#main.send('DOM.describeNode', { objectId: result.objectId ?? '' });
    return { session: this.#main, frameId: node.frameId ?? '' };
  }

  async #nodes({ session, frameId }: Source): Promise<readonly AxNode[]> {
    const { nodes } = await session.send('Accessibility.getFullAXTree', { frameId });
    return nodes;
  }

  async #frame(source: Source, depth: number, lines: string[]): Promise<void> {
    const nodes = await this.#nodes(source);
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const byDom = new Map(nodes.map((node) => [node.backendDOMNodeId, node]));
    const visit = async (node: AxNode, at: number): Promise<void> => {
      let below = at;
      if (!node.ignored && !LAYOUT_ROLES.has(node.role?.value)) {
        lines.push('  '.repeat(at) + describe(node, byDom));
        below++;
      }
      if (node.role?.value === 'Iframe' && !node.ignored) {
        const nested = await this.#nested(source, node);
        if (nested) await this.#frame(nested, below, lines);
        return;
      }
      for (const id of node.childIds ?? []) {
        const child = byId.get(id);
        if (child) await visit(child, below);
      }
    };
    const [root] = nodes;
    if (root) await visit(root, depth);
  }

  async #nested({ session }: Source, owner: AxNode): Promise<Source | undefined> {
    if (owner.backendDOMNodeId === undefined) return undefined;
    const { node } = await session.send('DOM.describeNode', { backendNodeId: owner.backendDOMNodeId });
    const { frameId } = node;
    return frameId === undefined ? undefined : { session: this.#apart.get(frameId) ?? session, frameId };
  }
}

/** The session of a frame in a process of its own; undefined for one that shares its parent's. */
async function apart(page: Page, frame: Frame): Promise<CDPSession | undefined> {
  try {
    return await page.context().newCDPSession(frame);
  } catch {
    return undefined;
  }
}

function describe(node: AxNode, byDom: ReadonlyMap<number | undefined, AxNode>): string {
  const properties = (node.properties ?? [])
    .filter(({ name, value }) => !OTHER_PROPERTIES.has(name) && !(name === 'roledescription' && text(value) === SECRET))
    .map(({ name, value }) => `${name}=${related(value, byDom) ?? text(value)}`)
    .sort();
  const parts = [text(node.role), quoted(text(node.name))];
  if (text(node.description) !== '') parts.push(`description=${quoted(text(node.description))}`);
  if (text(node.value) !== '') parts.push(`value=${quoted(text(node.value))}`);
  return [...parts, ...properties].join(' ');
}

/** Elements that a property refers to, by their role and name: their ids may be anything. */
function related({ relatedNodes }: AxValue, byDom: ReadonlyMap<number | undefined, AxNode>): string | undefined {
  return relatedNodes
    ?.map(({ backendDOMNodeId }) => byDom.get(backendDOMNodeId))
    .map((node) => (node ? `${text(node.role)}${quoted(text(node.name))}` : '?'))
    .join('+');
}

function isFocused({ properties }: AxNode): boolean {
  return properties?.some(({ name, value }) => name === 'focused' && value.value === true) ?? false;
}

function text(value: AxValue | undefined): string {
  const plain = value?.value;
  if (typeof plain === 'string') return plain;
  return typeof plain === 'number' || typeof plain === 'boolean' ? String(plain) : '';
}

function quoted(words: string): string {
  return JSON.stringify(words);
}
