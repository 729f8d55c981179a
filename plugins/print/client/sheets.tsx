import type { ReactElement, RefObject } from 'react';
import { PAPER } from '../options.ts';
import type { PrintOptions } from '../options.ts';
import type { PrintDialogProps } from './index.ts';

/** Maximum number of visible sheets: a viewer as high as all of them could need any amount of memory. */
const MAX_SHOWN = 10;

/** Aspect ratio at which a viewer shows sheets without scrolling. */
function aspectOf({ layout, paper_size }: PrintOptions, sheets: number): string {
  const [short, long] = PAPER[paper_size];
  const [width, height] = layout === 'landscape' ? [long, short] : [short, long];
  return `${width} / ${height * Math.min(sheets, MAX_SHOWN)}`;
}

/** Whether the browser has a PDF viewer. */
export const showsSheets = (): boolean => navigator.pdfViewerEnabled;

interface SheetsProps {
  /** Address of the PDF. */
  readonly address: string;
  readonly sheets: number;
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly options: PrintOptions;
  readonly texts: PrintDialogProps['texts'];
}

/** The sheets to print, where the browser has a viewer, and a link to the file. */
export function Sheets({ address, sheets, frame, options, texts }: SheetsProps): ReactElement {
  return (
    <>
      {showsSheets() && (
        // Not clickable: the viewer creates links from addresses in the text, and a click on one would navigate to the site.
        <div className="sheets" role="region" aria-label={texts.text('print.preview')} tabIndex={0}>
          <iframe
            ref={frame}
            inert
            title={texts.text('print.preview')}
            src={`${address}#toolbar=0&navpanes=0&view=FitH`}
            style={{ aspectRatio: aspectOf(options, sheets) }}
          />
        </div>
      )}
      <p>
        {!showsSheets() && `${texts.text('print.no-viewer')} `}
        <a className="vitrine-link" href={address} target="_blank" rel="noopener" download="page.pdf">
          {texts.text('print.save')}
        </a>
      </p>
    </>
  );
}
