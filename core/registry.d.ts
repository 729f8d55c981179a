// What the build generates: see host/build.
declare module 'virtual:plugin-registry' {
  /** Every plugin of this build. */
  export const registry: ReadonlyArray<import('./plugins/client/gate.ts').RegistryEntry>;
}

declare module 'virtual:page-registry' {
  /** Every page half of this build. */
  export const registry: ReadonlyArray<{
    readonly manifest: import('./contracts/manifest.ts').AnyManifest;
    readonly activate: unknown;
  }>;
}

declare module 'virtual:main-registry' {
  /** Every main half of this build. */
  export const registry: ReadonlyArray<{
    readonly id: string;
    readonly activate: (line: never) => void;
  }>;
}

declare module 'virtual:extension-registry' {
  /** Every extension half of this build. */
  export const registry: ReadonlyArray<{
    readonly id: string;
    readonly activate: (scope: { call(value: unknown): Promise<unknown> }) => void;
  }>;
}

declare module '*.css' {
  /** The address of the sheet, on the host. */
  const url: string;
  export default url;
}
