/** Has the browser of the person save a file of the host (M-069). The host serves it as an attachment: this document stays. */
export function saveFile({ key, filename }: { readonly key: string; readonly filename: string }): void {
  const link = document.createElement('a');
  link.href = `/safeview-fileserv/tc_download/${encodeURIComponent(key)}/${encodeURIComponent(filename)}`;
  link.download = filename;
  link.hidden = true;
  document.body.append(link); // Firefox follows only links of the document
  link.click();
  link.remove();
}
