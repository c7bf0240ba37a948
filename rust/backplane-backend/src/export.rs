//! The exports and notes of a backend's file.

/// Writes what the host finds in the file: the three entry points, the ABI note, and the manifest,
/// with which a backend is listed before any of its code runs. Once, at the root of a `cdylib`.
///
/// ```ignore
/// backplane_backend::backend! {
///     type: Npu,
///     id: "AcmeNpu",
///     vendor: "Acme",
///     version: "1.2.0",
///     license: "Apache-2.0",
///     rank: 100,
///     cpu_features: "avx2 fma",
///     permissions: "devices:/dev/acme0",
///     operators: "com.acme/Gelu/1-2",
/// }
/// ```
///
/// `id` is that of the type; `version` is of the product; `rank` is that of the capabilities, 0
/// when they have none. The last three may be left out, and all but the type are literals. A
/// `table: EXPRESSION` at the end is exported in place of that of the type. The version of the API
/// that is needed is 1.0.
#[macro_export]
macro_rules! backend {
    (
        type: $backend:ty,
        id: $id:literal,
        vendor: $vendor:literal,
        version: $version:literal,
        license: $license:literal,
        rank: $rank:literal
        $(, cpu_features: $cpu_features:literal)?
        $(, permissions: $permissions:literal)?
        $(, operators: $operators:literal)?
        $(, table: $table:expr)?
        $(,)?
    ) => {
        // The notes of note.h.
        ::core::arch::global_asm!(
            ".pushsection .note.backplane.abi, \"a\", %note",
            ".balign 4",
            ".long 10",
            ".long 28",
            ".long 1",
            ".asciz \"Backplane\"",
            ".balign 4",
            ".long 0x4e504b42",
            ".long {major}",
            ".long 0",
            ".long {draft}",
            ".long 0",
            ".long {pointer_bits}",
            ".long 0",
            ".balign 4",
            ".popsection",
            ".pushsection .note.backplane.manifest, \"a\", %note",
            ".balign 4",
            ".long 10",
            ".long 3f - 2f",
            ".long 2",
            ".asciz \"Backplane\"",
            ".balign 4",
            "2:",
            ".long 0x4d504b42",
            ".long 1",
            ::core::concat!(".asciz \"id=", $id, "\""),
            ::core::concat!(".asciz \"vendor=", $vendor, "\""),
            ::core::concat!(".asciz \"version=", $version, "\""),
            ::core::concat!(".asciz \"license=", $license, "\""),
            ::core::concat!(".asciz \"cpu_features=", $($cpu_features,)? "\""),
            ::core::concat!(".asciz \"rank=", $rank, "\""),
            ::core::concat!(".asciz \"permissions=", $($permissions,)? "\""),
            ::core::concat!(".asciz \"operators=", $($operators,)? "\""),
            "3:",
            ".balign 4",
            ".popsection",
            major = const $crate::sys::BP_API_MAJOR,
            draft = const $crate::sys::BP_API_DRAFT,
            pointer_bits = const usize::BITS,
        );

        const _: () = $crate::table::check_id::<$backend>($id);
        static BACKPLANE_TABLE: $crate::table::Table = {
            let _table = $crate::table::table::<$backend>();
            $(let _table = $table;)?
            _table
        };

        /// The id of the backend.
        #[no_mangle]
        pub extern "C" fn GetBackendId() -> *const ::core::ffi::c_char {
            BACKPLANE_TABLE.get().id
        }
        /// The least version of the API that the backend needs.
        ///
        /// # Safety
        /// Both point to numbers.
        #[no_mangle]
        pub unsafe extern "C" fn GetVersion(major: *mut u32, minor: *mut u32) {
            unsafe {
                *major = BACKPLANE_TABLE.get().major;
                *minor = BACKPLANE_TABLE.get().needs_minor;
            }
        }
        /// The table of the backend.
        #[no_mangle]
        pub extern "C" fn BackendFactory() -> *mut ::core::ffi::c_void {
            BACKPLANE_TABLE.get() as *const $crate::sys::bp_backend as *mut _
        }
    };
}
