/** The halves that a plugin may have: where each is found, what it exports, and whether a third party's plugin may have it. */
export const HALVES = {
  client: {
    file: 'client/index',
    exports: 'activate',
    outside: true,
    runs: "in the person's browser, with its session",
  },
  page: {
    file: 'page/index',
    exports: 'activate',
    outside: true,
    runs: 'in each frame of the surrogate, in an isolated world',
  },
  main: { file: 'main/index', exports: 'activate', outside: false, runs: "in each frame, in the page's own world" },
  extension: {
    file: 'extension/index',
    exports: 'activate',
    outside: false,
    runs: "in the worker of the surrogate's extension",
  },
  host: {
    file: 'host/index',
    exports: 'activate',
    outside: true,
    runs: 'in the host, once per tab: in a thread of its own, where it is from outside',
  },
  session: {
    file: 'host/session',
    exports: 'activateSession',
    outside: true,
    runs: 'in the host, once per person: in a thread of its own, where it is from outside',
  },
  routes: {
    file: 'host/routes',
    exports: 'routes',
    outside: true,
    runs: "in the host: answers the person's browser below /r/; from outside in the thread of the session half",
  },
  service: {
    file: 'host/service',
    exports: 'activateService',
    outside: true,
    runs: 'once per host, in a process of its own',
  },
  verbs: {
    file: 'host/verbs',
    exports: 'verbs',
    outside: false,
    runs: 'on the command line, as the administrator',
  },
} as const;
