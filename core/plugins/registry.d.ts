// What the build generates: see host/build.
declare module 'virtual:plugin-registry' {
  /** Every plugin of this build; `load` fetches its client half, where it has one. */
  export const registry: ReadonlyArray<{
    readonly manifest: import('./manifest.ts').AnyManifest;
    readonly load?: () => Promise<{ readonly activate: unknown }>;
  }>;
}

declare module 'virtual:page-registry' {
  /** Every page half of this build. */
  export const registry: ReadonlyArray<{
    readonly manifest: import('./manifest.ts').AnyManifest;
    readonly activate: unknown;
  }>;
}

declare module '*.css' {
  /** The address of the sheet, on the host. */
  const url: string;
  export default url;
}
