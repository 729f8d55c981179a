/**
 * The walls of the project as data: each file has a zone, and each zone says which zones and packages it may import.
 * Paths are relative to the checkout, with forward slashes.
 */
interface Zone {
  readonly name: string;
  /** The plugin it belongs to, for the zones of a plugin. */
  readonly plugin?: string;
}

/** Modules of core that know neither the DOM nor Node. */
const ISOMORPHIC = /^core\/(protocol|contracts|hooks)\/|^core\/plugins\/[^/]+\.ts$/;

const PLUGIN_ZONES: readonly (readonly [RegExp, string])[] = [
  [/^client\//, 'plugin-client'],
  [/^host\//, 'plugin-host'],
  [/^page\//, 'plugin-page'],
  [/^main\//, 'plugin-main'],
  [/^shared\//, 'plugin-shared'],
  [/^extension\//, 'plugin-extension'],
  [/^manifest\.ts$/, 'plugin-manifest'],
  [/^[^/]+$/, 'plugin-protocol'],
];

const ZONES: readonly (readonly [RegExp, string])[] = [
  [/(^|\/)tests\//, 'tests'],
  [/^core\/testing\//, 'tests'],
  [/^[^/]+$/, 'tooling'],
  // Where the build and the host agree on what lies under dist.
  [/^host\/build\/(base|client-manifest|plugin-registry|shared-modules)\.ts$/, 'host'],
  [/^host\/(setup|build)(\/|\.mjs$)/, 'tooling'],
  // Contracts that speak of React's or of the DOM's types, for the sides that have them.
  [/^core\/contracts\/(client-scope|slots)\.ts$/, 'client-contract'],
  [/^core\/contracts\/(kernel|main-half|page-scope)\.ts$/, 'page-contract'],
  [ISOMORPHIC, 'isomorphic'],
  [/^core\/(index|ui)\.ts$/, 'client-entry'],
  [/^core\/(page|page-entry|main|main-entry|extension|extension-entry)\.ts$/, 'page-entry'],
  [/^core\/kernel\//, 'core-page'],
  [/^core\//, 'core-client'],
  [/^host\/plugin\.ts$/, 'host-entry'],
  [/^host\/gateway\//, 'gateway'],
  [/^host\/cell\//, 'cell'],
  // Builds of external plugins, for people's browsers and for surrogates.
  [/^host\/plugins\/external\//, 'host'],
  [/^host\/plugins\//, 'plugins'],
  // The cell's own end, and what both sides say.
  [/^host\/cells\/(cell-end|protocol|uid-range)\.ts$/, 'host'],
  [/^host\/cells\//, 'cells'],
  [/^host\/(main\.ts$|cli\/|compose\/)/, 'host-main'],
  [/^host\/vitrine\.mjs$/, 'tooling'],
  [/^host\//, 'host'],
];

/** Tells a file's zone; undefined for a file outside the house, such as a folder of a plugin that is no half. */
export function zoneOf(file: string): Zone | undefined {
  const [, plugin, rest = ''] = /^plugins\/([^/]+)\/(.+)$/.exec(file) ?? [];
  if (plugin !== undefined && !/(^|\/)tests\//.test(rest)) {
    const name = PLUGIN_ZONES.find(([pattern]) => pattern.test(rest))?.[1];
    return name === undefined ? undefined : { name, plugin };
  }
  const name = ZONES.find(([pattern]) => pattern.test(file))?.[1];
  return name === undefined ? undefined : { name };
}

interface Walls {
  /** Zones that it may import, beside its own. */
  readonly zones: readonly string[];
  readonly node: boolean;
  /** React and signals. */
  readonly react: boolean;
  /** The only packages allowed, where that is narrower. */
  readonly packages?: readonly string[];
}

const HOST_ZONES = ['isomorphic', 'host', 'host-entry'];

const WALLS: Readonly<Record<string, Walls>> = {
  isomorphic: { zones: [], node: false, react: false },
  'client-contract': { zones: ['isomorphic'], node: false, react: true },
  'page-contract': { zones: ['isomorphic'], node: false, react: false },
  'core-client': { zones: ['isomorphic', 'client-contract'], node: false, react: true },
  'client-entry': { zones: ['isomorphic', 'client-contract', 'core-client'], node: false, react: true },
  'core-page': { zones: ['isomorphic', 'page-contract'], node: false, react: false },
  'page-entry': { zones: ['isomorphic', 'page-contract', 'core-page'], node: false, react: false },
  gateway: { zones: HOST_ZONES, node: true, react: false },
  cell: { zones: [...HOST_ZONES, 'plugins'], node: true, react: false },
  cells: { zones: [...HOST_ZONES, 'plugins'], node: true, react: false },
  plugins: { zones: [...HOST_ZONES], node: true, react: false },
  host: { zones: HOST_ZONES, node: true, react: false },
  'host-entry': { zones: HOST_ZONES, node: true, react: false },
  'host-main': { zones: [...HOST_ZONES, 'gateway', 'cell', 'cells', 'plugins'], node: true, react: false },
  'plugin-protocol': { zones: ['isomorphic'], node: false, react: false, packages: ['valibot'] },
  'plugin-manifest': { zones: ['isomorphic', 'plugin-protocol'], node: false, react: false, packages: [] },
  'plugin-shared': { zones: ['isomorphic', 'plugin-protocol'], node: false, react: false },
  'plugin-client': {
    zones: ['isomorphic', 'plugin-protocol', 'plugin-manifest', 'plugin-shared', 'client-entry'],
    node: false,
    react: true,
  },
  'plugin-host': {
    zones: ['isomorphic', 'plugin-protocol', 'plugin-manifest', 'plugin-shared', 'host-entry'],
    node: true,
    react: false,
  },
  'plugin-extension': { zones: ['page-entry'], node: false, react: false, packages: [] },
  'plugin-main': { zones: ['plugin-shared', 'page-entry'], node: false, react: false, packages: [] },
  'plugin-page': {
    zones: ['isomorphic', 'plugin-protocol', 'plugin-manifest', 'plugin-shared', 'page-entry'],
    node: false,
    react: false,
  },
};

const REACT = /^(react|react-dom|@preact\/signals-react)(\/|$)/;

/** Packages that parse files of pages and of the machine, in native code or WebAssembly. */
const DECODING = /^(sharp|subset-font|decode-bmp|decode-ico)(\/|$)/;

function packageFault(zone: Zone, walls: Walls, file: string, specifier: string): string | undefined {
  if (specifier.startsWith('virtual:')) return undefined;
  if (specifier.startsWith('node:')) return walls.node ? undefined : `${zone.name} knows nothing of Node.`;
  if (REACT.test(specifier) && !walls.react) return `${zone.name} knows nothing of React.`;
  if (specifier === 'tapable' && !file.startsWith('core/hooks/')) return 'Only core/hooks touches tapable.';
  if (DECODING.test(specifier) && !file.startsWith('host/decoder/')) return 'Only decoders decode pictures and fonts.';
  if (walls.packages && !walls.packages.includes(specifier)) {
    return `${zone.name} may import ${walls.packages.join(', ') || 'no package'}, not ${specifier}.`;
  }
  return undefined;
}

/**
 * Judges one import.
 *
 * @param file the importing file
 * @param target the imported file, or a package's specifier
 * @param isFile whether `target` is a file of the checkout
 * @returns what is wrong with it, or undefined
 */
export function wallFault(file: string, target: string, isFile: boolean): string | undefined {
  const from = zoneOf(file);
  if (!from) return `${file} stands in no zone of the house: see tests/lint/zones.ts.`;
  const walls = WALLS[from.name];
  if (!walls) return undefined; // tests and tooling may see all
  if (!isFile) return packageFault(from, walls, file, target);

  const to = zoneOf(target);
  if (!to) return `${target} stands in no zone of the house.`;
  if (to.plugin !== undefined && to.plugin !== from.plugin) {
    return from.plugin === undefined
      ? `${from.name} never imports a plugin.`
      : `Plugin ${from.plugin} never imports plugin ${to.plugin}: share through a service token.`;
  }
  if (target.endsWith('.css') && from.name === to.name) return undefined;
  if (from.name === 'plugin-protocol' && to.name === 'isomorphic' && !target.startsWith('core/protocol/')) {
    return "A plugin's protocol imports core/protocol and the schema library, nothing else.";
  }
  if (to.name === from.name || walls.zones.includes(to.name)) return undefined;
  return `${from.name} may not import ${to.name} (${target}).`;
}
