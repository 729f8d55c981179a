/**
 * Names of the document's own members in some browser. An element with such a name would replace the member for code that reads it
 * (`document.body`), the client included. Names that start with `on` or `__` are refused too, and not listed here.
 */
const DOCUMENT_NAMES = new Set(
  `
ATTRIBUTE_NODE CDATA_SECTION_NODE COMMENT_NODE DOCUMENT_FRAGMENT_NODE DOCUMENT_NODE DOCUMENT_POSITION_CONTAINED_BY
DOCUMENT_POSITION_CONTAINS DOCUMENT_POSITION_DISCONNECTED DOCUMENT_POSITION_FOLLOWING
DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC DOCUMENT_POSITION_PRECEDING DOCUMENT_TYPE_NODE ELEMENT_NODE ENTITY_NODE
ENTITY_REFERENCE_NODE NOTATION_NODE PROCESSING_INSTRUCTION_NODE TEXT_NODE URL activeElement activeViewTransition
addEventListener adoptNode adoptedStyleSheets alinkColor all anchors append appendChild applets ariaNotify baseURI
bgColor blockedNodeByClassifier body browsingTopics captureEvents caretPositionFromPoint caretRangeFromPoint
characterSet charset childElementCount childNodes children clear cloneNode close compareDocumentPosition compatMode
constructor contains contentType convertPointFromNode convertQuadFromNode convertRectFromNode cookie createAttribute
createAttributeNS createCDATASection createComment createDocumentFragment createElement createElementNS createEvent
createExpression createNSResolver createNodeIterator createProcessingInstruction createRange createTextNode
createTreeWalker currentScript customElementRegistry defaultCharset defaultView designMode dir dispatchEvent doctype
documentElement documentURI domain elementFromPoint elementsFromPoint embeds enableStyleSheetsForSet evaluate
execCommand exitFullscreen exitPictureInPicture exitPointerLock featurePolicy fgColor firstChild firstElementChild
fonts forms fragmentDirective fullscreen fullscreenElement fullscreenEnabled getAnimations getBoxQuads
getCSSCanvasContext getElementById getElementsByClassName getElementsByName getElementsByTagName
getElementsByTagNameNS getOverrideStyle getRootNode getSelection hasChildNodes hasFocus hasOwnProperty hasPrivateToken
hasRedemptionRecord hasStorageAccess hasUnpartitionedCookieAccess head height hidden images implementation importNode
inputEncoding insertBefore interestCohort isConnected isDefaultNamespace isEqualNode isPrototypeOf isSameNode
lastChild lastElementChild lastModified lastStyleSheetSet linkColor links location lookupNamespaceURI lookupPrefix
moveBefore mozCancelFullScreen mozFullScreen mozFullScreenElement mozFullScreenEnabled mozSetImageElement
mozSyntheticDocument msElementsFromPoint nextSibling nodeName nodeType nodeValue normalize open ownerDocument
parentElement parentNode parseHTMLUnsafe permissionsPolicy pictureInPictureElement pictureInPictureEnabled plugins
pointerLockElement policy preferredStyleSheetSet prepend prerendering previousSibling propertyIsEnumerable
queryCommandEnabled queryCommandIndeterm queryCommandState queryCommandSupported queryCommandValue querySelector
querySelectorAll readyState referrer releaseCapture releaseEvents removeChild removeEventListener replaceChild
replaceChildren requestStorageAccess requestStorageAccessFor rootElement scripts scrollingElement
selectedStyleSheetSet startViewTransition styleSheetSets styleSheets textContent timeline title toLocaleString
toString userActivation valueOf visibilityState vlinkColor wasDiscarded webkitCancelFullScreen
webkitCurrentFullScreenElement webkitExitFullscreen webkitFullscreenElement webkitFullscreenEnabled
webkitGetAnimations webkitHidden webkitIsFullScreen webkitVisibilityState when width write writeln xmlEncoding
xmlStandalone xmlVersion
`
    .trim()
    .split(/\s+/),
);

/** Whether an element of this name or id would hide a member of its document. */
export function hidesMember(name: string): boolean {
  return DOCUMENT_NAMES.has(name) || name.startsWith('on') || name.startsWith('__');
}
