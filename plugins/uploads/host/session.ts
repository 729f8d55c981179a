import { fileDeskToken, token } from '../../../host/plugin.ts';
import type { ActivateSession, FileDesk, StagingArea } from '../../../host/plugin.ts';
import type { Upload } from './upload.ts';

/** The uploads of a person that are running, for the halves of their tabs and for the route. */
export interface RunningUploads {
  readonly desk: FileDesk;
  stage(): Promise<StagingArea>;
  /** Bytes that files may take where pages read them: all files, and what those that are there, or on their way, leave. */
  room(): { readonly most: number; readonly left: number };
  get(id: string): Upload | undefined;
  add(upload: Upload): void;
  delete(upload: Upload): void;
}

export const runningUploadsToken = token<RunningUploads>('uploads.running');

/** Keeps the uploads of one person. */
export const activateSession: ActivateSession = ({ surrogate, services, onDispose }) => {
  const running = new Map<string, Upload>();
  services.provide(runningUploadsToken, {
    get desk() {
      return services.get(fileDeskToken); // its plugin may be activated later: `requires` would hold for clients as well
    },
    stage: () => surrogate.stage(),
    room: () => {
      const most = surrogate.mostStaged();
      return { most, left: [...running.values()].reduce((left, { room }) => left - room, most) };
    },
    get: (id) => running.get(id),
    add: (upload) => void running.set(upload.id, upload),
    delete: (upload) => void running.delete(upload.id),
  });
  onDispose(() => {
    for (const upload of running.values()) upload.dispose();
  });
};
