import type { Connection, Transport } from './transport.ts';

/** A transport whose code is loaded when it is first needed, or when `load` is called, before the network is in trouble. */
interface LateTransport extends Transport {
  load(): void;
}

/** Stands in for a transport until its code is there; code that cannot be loaded is a connection that cannot be made. */
export function lateTransport(mode: Transport['mode'], load: () => Promise<Transport>): LateTransport {
  let loading: Promise<Transport> | undefined;
  const loaded = (): Promise<Transport> => {
    loading ??= load().catch((thrown: unknown) => {
      loading = undefined;
      throw thrown;
    });
    return loading;
  };
  return {
    mode,
    load: () => {
      loaded().catch(() => undefined); // asked for again when it is needed
    },
    open(names, events) {
      let inner: Connection | undefined;
      let isOpen = true;
      loaded().then(
        (transport) => {
          if (isOpen) inner = transport.open(names, events);
        },
        () => {
          if (isOpen) events.closed('network');
        },
      );
      return {
        send: (text) => inner?.send(text),
        wake: () => inner?.wake?.(),
        close: () => {
          isOpen = false;
          inner?.close();
        },
      };
    },
    websocketsPass: async () => (await loaded()).websocketsPass?.() ?? false,
  };
}
