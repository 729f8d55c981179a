/** Puts a text into the person's clipboard. Resolves with whether the browser has let us. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text); // there is none in insecure contexts
    return true;
  } catch {
    // the older means may still be there
  }
  const fill = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
  };
  document.addEventListener('copy', fill, { once: true });
  const isDone = document.execCommand('copy');
  document.removeEventListener('copy', fill);
  return isDone;
}
