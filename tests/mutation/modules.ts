/** Sources that are mutated together, and the tests that are to find it. Paths and globs are from the root. */
export interface MutatedModule {
  readonly mutate: readonly string[];
  /** Only files without a browser or a host: each mutant runs them. */
  readonly tests: readonly string[];
}

/**
 * Modules that protect or count, by the name that `--only` takes. A source that only a browser's tests run is left out: its
 * mutants would all count as survivors.
 */
export const MODULES: Readonly<Record<string, MutatedModule>> = {
  sanitizer: {
    mutate: ['plugins/mirror/host/sanitize/{addresses,attributes,css-address-functions,css-policy,css-selectors}.ts'],
    tests: ['plugins/mirror/host/sanitize/tests/!(linear-time|long-css).test.ts'],
  },
  channel: {
    mutate: ['host/cell/channel/{acknowledger,round-trips,sender}.ts', 'core/protocol/sequence.ts'],
    tests: ['host/cell/tests/{channel,channel-upkeep}.test.ts', 'core/protocol/tests/sequence.test.ts'],
  },
  dispatch: {
    mutate: ['core/dispatch/{dispatcher,hold,late-bodies}.ts', 'core/protocol/endpoint.ts'],
    tests: ['core/dispatch/tests/*.test.ts', 'core/protocol/tests/endpoint.test.ts'],
  },
  session: {
    mutate: [
      'core/session/pairing/pid-token.ts',
      'core/session/shell/{frame-refusal,framing,framing-restriction}.ts',
      'core/session/tab/tab-store.ts',
      'host/cell/session/waiting-windows.ts',
    ],
    tests: ['core/session/tests/{pid-token,start,tab-store}.test.ts', 'host/cell/tests/waiting-windows.test.ts'],
  },
  policy: {
    mutate: ['host/policy/{bypass,decision,host-overlap,host-pattern,read-only-exits,slice,tightening}.ts'],
    tests: ['host/policy/tests/{bypass,decision,host-pattern,levels,read-only-exits,records}.test.ts'],
  },
  connection: {
    mutate: ['core/channel/{bodies,late-transport,line,uplink}.ts'],
    tests: ['core/channel/tests/{bodies,channel,channel-timing,late-transport,line,uplink}.test.ts'],
  },
  egress: {
    mutate: ['host/cell/egress/{address,name-pace}.ts'],
    tests: ['host/cell/egress/tests/{address,name-pace}.test.ts'],
  },
  events: {
    mutate: ['core/events/{event-record,ping-stats,reporter,soft-assert}.ts'],
    tests: ['core/events/tests/reporter.test.ts'],
  },
  frames: {
    mutate: ['core/protocol/{frames,wire,frame-run,frame-encoding}.ts'],
    tests: ['core/protocol/tests/{frames,wire}.test.ts'],
  },
  gateway: {
    mutate: [
      'host/gateway/{address,client-address,integrity-tokens,look,own-cookies}.ts',
      'host/gateway/{person,poll-end,readable-colour,request-check,request-lines}.ts',
    ],
    tests: [
      'host/gateway/tests/{address,client-address,integrity-tokens,look,own-cookies}.test.ts',
      'host/gateway/tests/{person,poll-end,request-check,request-lines}.test.ts',
    ],
  },
  clipboard: {
    mutate: [
      'plugins/clipboard/host/{focus,guard,incoming,index,keys,outgoing,pasting,rules,shared}.ts',
      'plugins/clipboard/policy.ts',
    ],
    tests: ['plugins/clipboard/tests/{copies,frames,guard,host,incoming,keys,policy}.test.ts'],
  },
  uploads: {
    mutate: ['plugins/uploads/host/{asked,chosen,dropped,held-uploads,staged-path}.ts'],
    tests: ['plugins/uploads/tests/{asked,chosen,dropped,held,host,staged-names}.test.ts'],
  },
  prints: {
    mutate: ['plugins/print/host/{disarm,index,pdf-params,routes,throttle}.ts'],
    tests: ['plugins/print/tests/{disarm,host,options,routes}.test.ts'],
  },
  webauthn: {
    mutate: ['plugins/webauthn/host/*.ts'],
    tests: ['plugins/webauthn/tests/{host,relying-party,session}.test.ts'],
  },
};
