import Quill from 'quill';

/** An editor that keeps a document of its own, and writes the page from it. */
new Quill('#editor').setText('one two\n');
