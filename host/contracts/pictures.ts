/** How a picture is converted. */
export interface PictureForm {
  readonly format: 'webp' | 'png';
  /** Quality of lossy formats, 1 to 100. */
  readonly quality: number;
  /** Longest side in pixels; larger pictures are scaled down. */
  readonly maxSide: number;
}

/** A converted picture; as untrusted as the decoder, which a hostile file may have taken over. */
export interface ConvertedPicture {
  readonly bytes: Uint8Array;
  /** Size in pixels as displayed: turned by its metadata, before it was scaled down. */
  readonly natural: { readonly width: number; readonly height: number };
}

/**
 * Converts a picture file, in a process that does nothing else. Rejects with AppError `resource-type` for a file that it
 * cannot read, `resource-too-large`, `resource-busy`, `resource-timeout`, `decoder-ended`, `decoder-unavailable`.
 */
export type ConvertPicture = (file: Uint8Array, form: PictureForm) => Promise<ConvertedPicture>;
