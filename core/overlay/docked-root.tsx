import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { AppError } from '../protocol/errors.ts';
import { Fault } from './fault.tsx';
import { styled } from './styled.ts';
import type { Shown, SlotStore } from './slot-store.ts';

type OnFault = (fault: AppError, plugin: string) => void;

function Contribution({ shown, document, onFault }: { shown: Shown; document: Document; onFault: OnFault }): ReactNode {
  const [Part] = useState(() =>
    lazy(async () => {
      const [module] = await Promise.all([shown.load(), ...shown.styles.map((href) => styled(document, href))]);
      return module;
    }),
  );
  return (
    <Fault onFault={(fault) => onFault(fault, shown.plugin)}>
      <Suspense fallback={null}>
        <Part {...shown.props} />
      </Suspense>
    </Fault>
  );
}

function Docked({ store, document, onFault }: { store: SlotStore; document: Document; onFault: OnFault }): ReactNode {
  const all = useSyncExternalStore(store.subscribe, store.list);
  return [...new Set(all.map(({ slot }) => slot))].map((slot) => (
    <div key={slot} className="vitrine-slot" data-slot={slot}>
      {all
        .filter((shown) => shown.slot === slot)
        .map((shown) => (
          <Contribution key={shown.key} shown={shown} document={document} onFault={onFault} />
        ))}
    </div>
  ));
}

/** Shows the docked slots in a container. */
export function mountDocked(container: HTMLElement, store: SlotStore, onFault: OnFault): () => void {
  const root = createRoot(container);
  root.render(<Docked store={store} document={container.ownerDocument} onFault={onFault} />);
  return () => {
    root.unmount();
  };
}
