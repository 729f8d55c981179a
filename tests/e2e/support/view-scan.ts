/** Result of a scan of the whole view. */
interface ViewScan {
  /** Nodes and documents seen, so that a test can check that there was something to scan. */
  readonly nodes: number;
  readonly documents: number;
  /** Forbidden content. */
  readonly violations: readonly string[];
}

/** Options of a scan. */
interface ScanOptions {
  /** Texts that no style sheet and no address may contain: the hostile origins. */
  readonly forbidden: readonly string[];
  /**
   * Whether links may only lead to isolated pages and style sheets only to tokens, as in content that has passed the
   * host.
   */
  readonly sanitized: boolean;
  /** Permissions of its frames; default `allow-same-origin`. */
  readonly sandbox?: string;
}

/**
 * Walks all documents and shadow roots of the view and returns what could run, load or navigate. It runs in the shell
 * (`page.evaluate(scanView, options)`), so it must be self-contained; it uses accessors of interfaces, never of nodes,
 * because pages hide members by names.
 */
export function scanView({ forbidden, sanitized, sandbox: allowed = 'allow-same-origin' }: ScanOptions): ViewScan {
  const RUNS = /^(?:script|embed|applet|base|portal|fencedframe|noscript|webview|handler)$/;
  const CODE = /^(?:javascript|vbscript|livescript|mocha|data:(?!image\/))/i;
  const ADDRESSES = new Set(
    'href src action formaction data poster background srcset ping codebase classid archive manifest icon imagesrcset lowsrc dynsrc'.split(
      ' ',
    ),
  );
  const ORIGINALS = new Set(
    'action background cite data formaction href icon itemid itemtype ping poster src srcset usemap'
      .split(' ')
      .map((name) => `v-was-${name}`),
  );
  const LOADS = new Set('src poster background srcset data imagesrcset lowsrc dynsrc ping manifest icon'.split(' '));
  const REFUSED = new Set(
    'srcdoc http-equiv ping formaction autofocus nonce allow csp integrity codebase classid archive xml:base referrerpolicy attributionsrc interestfor interesttarget closedby shadowrootmode imagesrcset'.split(
      ' ',
    ),
  );
  const RESOURCE = /^(?:\/c\/[ifms]\/[\w.-]+(?:#\S*)?(?: [\d.]+x)?|data:image\/[^]*|about:invalid|)$/i;
  const ISOLATED = /^(?:\/https?:\/\/|#|about:blank(?:#|$)|$)/;
  /** The cookies that scripts of the shell write. */
  const OWN_COOKIES = /^(?:(?:nid|cl|vitrine_active|vitrine_leaving)=|$)/;
  const ANIMATIONS = /^(?:animate|animatecolor|animatemotion|animatetransform|set)$/i;
  const violations: string[] = [];
  let nodes = 0;
  let documents = 0;

  const get = <T extends object, K extends keyof T & string>(type: { prototype: T }, key: K, self: T): T[K] =>
    Reflect.get(type.prototype, key, self);

  const bare = (text: string): string => text.replace(/[\0-\x20\u00a0\ufeff]/g, '');
  const short = (text: string): string => JSON.stringify(text.slice(0, 120));

  const css = (text: string, where: string): void => {
    if (!sanitized) return;
    // The name of a namespace is no address, and nothing is fetched for an unknown function, nor for a malformed url.
    const kept = text.replace(/^@namespace [^;]*;/, '').replace(/v-blocked\([^()]*\)|url\(x"x\)/g, '');
    // Strings come first: an address within one is text.
    const found = kept.matchAll(
      /"(?:\\[^]|[^"\\])*"?|'(?:\\[^]|[^'\\])*'?|\b(url|src|image|image-set)\(\s*["']?((?!var\(|url\(|paint\(|linear-)[^"')]*)/gi,
    );
    for (const [all, name, address = ''] of found)
      if (name !== undefined && !/^(?:\/c\/[ifms]\/|#|data:image\/|about:invalid|$)/.test(address))
        violations.push(`${where} has the address ${short(all)}`);
    if (/^\s*@import/i.test(kept)) violations.push(`${where} imports`);
  };

  const sheets = (all: readonly CSSStyleSheet[], where: string): void => {
    for (const sheet of all) for (const rule of sheet.cssRules) css(rule.cssText, `a sheet of ${where}`);
  };

  /** Links may name their targets, and a picture that is its own address loads nothing. */
  const isInert = (tag: string, local: string, value: string): boolean =>
    (/^(?:a|area)$/.test(tag) && local === 'href') || tag.includes('-') || /^data:image\//i.test(value);

  const attribute = (element: Element, tag: string, name: string, where: string): void => {
    const value = Element.prototype.getAttribute.call(element, name) ?? '';
    const lower = name.toLowerCase();
    const local = lower.slice(lower.lastIndexOf(':') + 1);
    const what = `${where}[${name}=${short(value)}]`;
    if (lower.startsWith('on') || local.startsWith('on')) violations.push(`${what} is a handler`);
    if (REFUSED.has(lower) || REFUSED.has(local)) violations.push(`${what} must not be there`);
    if (ADDRESSES.has(local) && CODE.test(bare(value))) violations.push(`${what} is code`);
    if (LOADS.has(local) && !/^i?frame$/.test(tag) && !RESOURCE.test(value)) violations.push(`${what} loads`);
    if (local === 'href') {
      const isLink = /^(?:a|area)$/.test(tag) || tag.includes('-');
      const isPicture = /^(?:image|feimage|use)$/.test(tag);
      const isFine = isLink
        ? !sanitized || ISOLATED.test(value)
        : value.startsWith('#') || value === '' || (isPicture && RESOURCE.test(value));
      if (!isFine) violations.push(`${what} leads away`);
    }
    if (local === 'action' && tag === 'form' && value !== 'about:blank') violations.push(`${what} is an action`);
    const isForeign = !/xhtml$|svg$/.test(get(Element, 'namespaceURI', element) ?? '');
    if (local === 'target' && sanitized && value !== '_blank' && /^(?:a|area|form)$/.test(tag) && !isForeign)
      violations.push(`${what} names a window`);
    if (lower === 'command' && !/^(?:show|hide|toggle)-popover$/i.test(value)) violations.push(`${what} is a command`);
    if (lower === 'style') css(value, what);
    if (local === 'attributename' && ANIMATIONS.test(tag) && /^(?:on|href|src|xlink)|:href/i.test(bare(value)))
      violations.push(`${what} animates an address`);
    if (ANIMATIONS.test(tag) && /^(?:from|to|values|by)$/.test(local)) css(value, what);
    // An original address is kept as text where a sheet reads it; these pages' sheets do not. Any other text may name
    // an origin.
    if (sanitized && (ORIGINALS.has(lower) || (ADDRESSES.has(local) && !isInert(tag, local, value))))
      for (const origin of forbidden) if (value.includes(origin)) violations.push(`${what} names ${origin}`);
  };

  const element = (each: Element, path: string): void => {
    const name = get(Element, 'localName', each);
    const tag = name.slice(name.lastIndexOf(':') + 1).toLowerCase();
    const where = `${path} <${name}>`;
    if (RUNS.test(tag)) violations.push(`${where} must not be there`);
    for (const given of Element.prototype.getAttributeNames.call(each)) attribute(each, tag, given, where);
    const has = (given: string): boolean => Element.prototype.hasAttribute.call(each, given);
    const isHtml = get(Element, 'namespaceURI', each) === 'http://www.w3.org/1999/xhtml';
    if (name === 'form' && isHtml && sanitized && !has('action')) violations.push(`${where} has no action`);
    if (tag === 'meta' && Element.prototype.getAttribute.call(each, 'name') === 'referrer')
      violations.push(`${where} sets the referrer`);
    if (tag === 'link' && has('href')) violations.push(`${where} has an address`);
    if (name === 'style' && get(Node, 'textContent', each) !== '') violations.push(`${where} has text`);
    const root = get(Element, 'shadowRoot', each);
    if (root) {
      sheets([...get(ShadowRoot, 'adoptedStyleSheets', root), ...get(ShadowRoot, 'styleSheets', root)], where);
      walk(root, `${where} shadow`);
    }
    if (!/^i?frame$/.test(name) || !isHtml) return;
    const sandbox = Element.prototype.getAttribute.call(each, 'sandbox');
    if (sandbox !== allowed) violations.push(`${where} has the sandbox ${short(sandbox ?? 'none')}`);
    const src = Element.prototype.getAttribute.call(each, 'src') ?? '';
    if (src !== '' && !/^\/safeview-template\/view\/[\w-]+(?:\?\d+)?$/.test(src))
      violations.push(`${where} shows ${short(src)}`);
    const inner =
      name === 'frame'
        ? get(HTMLFrameElement, 'contentDocument', each as HTMLFrameElement) // its name says so
        : get(HTMLIFrameElement, 'contentDocument', each as HTMLIFrameElement);
    if (!inner) violations.push(`${where} shows a document of another origin`);
    else document_(inner, `${where} frame`);
  };

  const walk = (root: Node, path: string): void => {
    const owner = get(Node, 'ownerDocument', root) ?? (root as Document); // only documents have no owner
    const walker = Document.prototype.createTreeWalker.call(owner, root, NodeFilter.SHOW_ALL);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      nodes++;
      const type = get(Node, 'nodeType', node);
      if (type === Node.ELEMENT_NODE) element(node as Element, path);
      else if (type === Node.PROCESSING_INSTRUCTION_NODE) violations.push(`${path} has a processing instruction`);
    }
  };

  const document_ = (shown: Document, path: string): void => {
    documents++;
    const address = get(Document, 'URL', shown);
    if (!/^about:blank$|\/safeview-template\/view\/[\w-]+(?:\?\d+)?(?:#[^]*)?$/.test(address))
      violations.push(`${path} is ${address}`);
    // Not compared with those of the shell: they come and go, and WebKit keeps what each document had for a while.
    for (const cookie of [...get(Document, 'cookie', shown).split('; '), ...document.cookie.split('; ')])
      if (!OWN_COOKIES.test(cookie)) violations.push(`${path} has the cookie ${short(cookie)}`);
    sheets([...get(Document, 'adoptedStyleSheets', shown), ...get(Document, 'styleSheets', shown)], path);
    walk(shown, path);
  };

  for (const frame of document.querySelectorAll<HTMLIFrameElement>('#vitrine-view > iframe')) {
    if (frame.getAttribute('sandbox') !== allowed) violations.push('the view is not sandboxed');
    if (frame.contentDocument) document_(frame.contentDocument, 'view');
  }
  for (const script of document.scripts)
    if (script.type !== 'importmap' && new URL(script.src, location.href).origin !== location.origin)
      violations.push(`the shell has the script ${script.outerHTML.slice(0, 100)}`);
  return { nodes, documents, violations: [...new Set(violations)] };
}
