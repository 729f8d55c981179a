// Module that the build generates: see host/build.
declare module 'virtual:host-registry' {
  /** Every plugin of this build, with its host half. */
  export const registry: readonly import('./cell-plugins.ts').BuiltInPlugin[];
}
